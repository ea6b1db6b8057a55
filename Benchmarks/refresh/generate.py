"""Writes feeds to refresh: generate.py FOLDER FEEDS EPISODES, the same bytes for the same arguments."""
import os
import random
import sys

WORDS = ("tide harbour kettle letter engine morning garden river copper window signal paper bridge winter "
         "market island lantern orchard station weather").split()


def text(source, count):
    return " ".join(source.choice(WORDS) for _ in range(count))


def item(source, feed, number):
    """An item of about 2.5 KB with notes in CDATA, as most podcast hosts write them."""
    notes = "".join(f"<p>{text(source, 45)} <a href=\"https://notes.example/{number}/{part}?a=1&amp;b=2\">"
                    f"{text(source, 4)}</a></p>" for part in range(5))
    return (f"<item><title>{text(source, 6)} &amp; {number}</title>"
            f"<guid isPermaLink=\"false\">{feed}-{number}</guid><link>https://show.example/{feed}/{number}</link>"
            f"<pubDate>{1 + number % 28:02d} {'Jan Feb Mar Apr May Jun'.split()[number // 28 % 6]} "
            f"{2025 - number // 168} 06:{number % 60:02d}:00 +0000</pubDate>"
            f"<description>{text(source, 30)}</description><content:encoded><![CDATA[{notes}]]></content:encoded>"
            f"<itunes:duration>{number % 3}:{number % 60:02d}:10</itunes:duration>"
            f"<enclosure url=\"https://cdn.example/{feed}/{number}.mp3?token={number}&amp;x=y\""
            f" length=\"{number + 1000000}\" type=\"audio/mpeg\"/></item>\n")


def main():
    folder, feeds, episodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    for feed in range(feeds):
        source = random.Random(feed)
        with open(f"{folder}/{feed}.xml", "w", encoding="utf-8") as file:
            file.write('<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" '
                       'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
                       f'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Show {feed}</title>\n')
            file.writelines(item(source, feed, number) for number in reversed(range(episodes)))
            file.write("</channel></rss>\n")


main()
