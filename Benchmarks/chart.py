"""Draws the chart of the README: how much longer other programs take for the same work, from RESULTS.md."""

import re
import sys
from math import log10


def number(text, pattern):
    """The number that a row of a table of RESULTS.md holds."""
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"RESULTS.md has no row for {pattern}")
    return float(found[1])


def bars(text):
    """Name and ratio: how many times as long as podget the peer takes."""
    downloads = number(text, r"\| three files of 1 GB at once \|[^|]*\|[^|]*\| ([\d.]+) ")
    return [
        ("newsboat, refresh with nothing new", number(text, r"\| unchanged: newsboat / podget \| ([\d.]+) ")),
        ("feedparser, 10 MB of RSS", number(text, r"\| feedparser \| [\d.]+ \| ([\d.]+) ")),
        ("newsboat, first refresh of 500 feeds", number(text, r"\| first: newsboat / podget \| ([\d.]+) ")),
        ("podcastparser, 10 MB of RSS", number(text, r"\| podcastparser \| [\d.]+ \| ([\d.]+) ")),
        ("fastfeedparser, 10 MB of RSS", number(text, r"\| fastfeedparser \| [\d.]+ \| ([\d.]+) ")),
        ("curl --parallel, three files of 1 GB", 1 / downloads),
        ("curl, one file of 1 GB", 1 / number(text, r"\| one file of 1 GB \|[^|]*\|[^|]*\| ([\d.]+) ")),
        ("xmllint --sax, 50 MB of RSS (CPU)", 1 / number(text, r"\| podget inspect \|[^|]*\|[^|]*\|[^|]*\| ([\d.]+) ")),
    ]


def draw(rows):
    left, width, height = 270, 640, 26
    low, high = log10(0.3), log10(1000)
    place = lambda ratio: left + (log10(ratio) - low) / (high - low) * (width - left - 60)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height * len(rows) + 44}" font-family="sans-serif"'
        ' font-size="12">',
        "<title>Time of other programs for the same work, as a multiple of podget's</title>",
        f'<text x="{left}" y="16" fill="#666">time of others, podget = 1 (logarithmic)</text>',
    ]
    for index, (name, ratio) in enumerate(rows):
        top = 28 + index * height
        start, end = sorted((place(1), place(ratio)))
        colour = "#2a7f9e" if ratio >= 1 else "#b5651d"
        lines.append(f'<text x="{left - 8}" y="{top + 13}" text-anchor="end" fill="#444">{name}</text>')
        lines.append(f'<rect x="{start:.1f}" y="{top}" width="{max(end - start, 1):.1f}" height="18" fill="{colour}"/>')
        lines.append(f'<text x="{end + 5:.1f}" y="{top + 13}" fill="#444">{ratio:.3g} ×</text>')
    bottom = 28 + len(rows) * height
    lines.append(f'<line x1="{place(1):.1f}" y1="24" x2="{place(1):.1f}" y2="{bottom}" stroke="#888"/>')
    lines.append("</svg>")
    return "\n".join(lines)


print(draw(bars(open(sys.argv[1], encoding="utf-8").read())))
