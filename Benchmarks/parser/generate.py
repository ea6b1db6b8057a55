"""Writes feeds to measure with: generate.py KIND MEGABYTES FILE, the same bytes for the same arguments."""
import random
import sys

WORDS = ("tide harbour kettle letter engine morning garden river copper window signal paper bridge winter "
         "market island lantern orchard station weather").split()


def text(source, count):
    return " ".join(source.choice(WORDS) for _ in range(count))


def typical_item(source, number):
    """An item of about 2.5 KB with notes in CDATA, as most podcast hosts write them."""
    notes = "".join(f"<p>{text(source, 45)} <a href=\"https://notes.example/{number}/{part}?a=1&amp;b=2\">"
                    f"{text(source, 4)}</a></p>" for part in range(5))
    return (f"<item><title>{text(source, 6)} &amp; {number}</title><guid isPermaLink=\"false\">id-{number}</guid>"
            f"<link>https://show.example/{number}</link>"
            f"<pubDate>{1 + number % 28:02d} Nov 2025 06:{number % 60:02d}:00 +0000</pubDate>"
            f"<description>{text(source, 30)}</description><content:encoded><![CDATA[{notes}]]></content:encoded>"
            f"<itunes:duration>{number % 3}:{number % 60:02d}:10</itunes:duration>"
            f"<itunes:image href=\"https://show.example/{number}.jpg\"/><itunes:explicit>no</itunes:explicit>"
            f"<enclosure url=\"https://cdn.example/{number}.mp3?token={number}&amp;x=y\" length=\"{number + 1000000}\""
            f" type=\"audio/mpeg\"/></item>\n")


def typical(source, size):
    written = 0
    number = 0
    while written < size:
        item = typical_item(source, number)
        written += len(item)
        number += 1
        yield item


KINDS = {
    "typical": typical,
    "tiny-items": lambda source, size: ("<item/>" for _ in range(size // 7)),
    "one-item": lambda source, size: iter(["<item><description>" + "a &amp; b " * (size // 10) + "</description></item>"]),
    "categories": lambda source, size: iter(["<item>" + "<category>c</category>" * (size // 22) + "</item>"]),
    "ampersands": lambda source, size: iter(["<item><title>" + "& " * (size // 2) + "</title></item>"]),
    "brackets": lambda source, size: iter(["<item><title>" + "< " * (size // 2) + "</title></item>"]),
    "attributes": lambda source, size: iter(["<item " + " ".join(f'a{n}="x"' for n in range(size // 10)) + "/>"]),
    "nesting": lambda source, size: iter(["<a>" * (size // 3)]),
}

# Documents of one size each, whatever is asked for.
NAMED = {
    "20,000 items": lambda: "".join(f"<item><title>{n}</title><guid>{n}</guid></item>" for n in range(20_000)),
    "one item of 4 MB": lambda: "<item><title>x</title><description>" + "a &amp; b " * 400_000 + "</description></item>",
    "5,000 categories": lambda: "<item><title>x</title>" + "<category>news</category>" * 5_000 + "</item>",
    "10,000 levels": lambda: "<a>" * 10_000 + "<item><title>x</title></item>" + "</a>" * 10_000,
    "10 MB of attributes": lambda: "<item " + " ".join(f'a{n}="xxxx"' for n in range(700_000)) + "/>",
}


def main():
    kind, megabytes, path = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    source = random.Random(7)
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" '
                   'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
                   'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Show</title>\n')
        pieces = [NAMED[kind]()] if kind in NAMED else KINDS[kind](source, int(megabytes * 1_000_000))
        for piece in pieces:
            file.write(piece)
        file.write("</channel></rss>\n")


main()
