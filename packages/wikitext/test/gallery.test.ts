/** Galleries, compared with the documentation of their options: Help:Images. Sizes are those of MediaWiki's markup. */
import { expect, it } from 'vitest';
import { show } from './world.ts';

/** Attributes of the list and its boxes, and the boxes' contents, for a picture of 1200 × 800. */
function outline(source: string): { list: string; boxes: string[] } {
  const { html } = show(source);
  const [list = '', ...items] = html.split('<li class="gallerybox" ');
  return {
    list: /<ul([^>]*)>/.exec(list)?.[1]?.trim() ?? '',
    boxes: items.map((item) =>
      item
        .replace(/ (?:src|href|decoding|loading)="[^"]*"/g, '')
        .replace(/<div style="width[^>]*>|<\/(?:div|li|ul|span|a|p)>|<(?:span|p)>|\n/g, '')
        .trim(),
    ),
  };
}

const gallery = (attributes: string, ...lines: string[]) =>
  outline(`<gallery${attributes}>\n${lines.join('\n')}\n</gallery>`);

it.each([
  ['', 'class="gallery mw-gallery-traditional"'],
  [' perrow="2"', 'class="gallery mw-gallery-traditional" style="max-width: 326px;"'],
  [
    ' perrow="2" style="color: red"',
    'class="gallery mw-gallery-traditional" style="max-width: 326px;color: red"',
  ],
  [
    ' perrow="2" widths="100px" mode="nolines"',
    'class="gallery mw-gallery-nolines" style="max-width: 218px;"',
  ],
  [' perrow="2" mode="packed"', 'class="gallery mw-gallery-packed"'],
  [' perrow="2" mode="slideshow"', 'class="gallery mw-gallery-slideshow" style="max-width: 326px;"'],
  [' mode="PACKED-hover" class="x"', 'class="gallery mw-gallery-packed-hover x"'],
  [' mode="other" style="position: fixed"', 'class="gallery mw-gallery-traditional"'],
])('the list of a gallery with%s has %s', (attributes, list) =>
  expect(gallery(attributes, 'oak.jpg').list).toBe(list),
);

it.each([
  [
    '',
    'none.jpg',
    'style="width: 155px"><div class="thumb" style="height: 150px;">none.jpg<div class="gallerytext">',
  ],
  [
    ' mode="nolines"',
    'none.jpg',
    'style="width: 125px"><div class="thumb" style="height: 120px;">none.jpg<div class="gallerytext">',
  ],
  [
    ' mode="packed" heights="90"',
    'none.jpg',
    'style="width: 122px"><div class="thumb" style="height: 90px;">none.jpg<div class="gallerytext">',
  ],
  [
    ' mode="packed" heights="20"',
    'oak.jpg|alt=',
    'style="width: 62px"><div class="thumb" style="width: 60px;"><div style="margin:0px auto;"><a><img alt="oak.jpg" width="30" height="20"><div class="gallerytext">',
  ],
  [
    ' mode="packed-overlay"',
    'oak.jpg',
    'style="width: 182px"><div class="thumb" style="width: 180px;"><div style="margin:0px auto;"><a><img alt="oak.jpg" width="180" height="120">',
  ],
  [
    ' mode="packed-overlay"',
    'oak.jpg|x',
    'style="width: 182px"><div class="thumb" style="width: 180px;"><div style="margin:0px auto;"><a><img alt="" width="180" height="120"><div class="gallerytextwrapper" style="width: 160px"><div class="gallerytext">x',
  ],
  [
    ' heights="40" widths="60em"',
    'oak.jpg|a|b',
    'style="width: 155px"><div class="thumb" style="width: 150px;"><div style="margin:15px auto;"><a><img alt="" width="60" height="40"><div class="gallerytext">b',
  ],
  [
    '',
    'oak.jpg#part|alt=x',
    'style="width: 155px"><div class="thumb" style="width: 150px;"><div style="margin:35px auto;"><a><img alt="x" width="120" height="80"><div class="gallerytext">',
  ],
])('a box of a gallery with%s for %s has the required width', (attributes, line, box) =>
  expect(gallery(attributes, line).boxes).toEqual([box]),
);

it.each([
  // Pictures fill their boxes even if that enlarges them; half pixels are kept.
  [
    ' widths="2000" heights="2000"',
    'oak.jpg',
    'margin:348.5px auto;"><a><img alt="oak.jpg" width="2000" height="1333"',
  ],
  [
    ' widths="70" heights="50"',
    'oak.jpg',
    'margin:16.5px auto;"><a><img alt="oak.jpg" width="70" height="47"',
  ],
  [
    ' mode="packed" heights="33"',
    'oak.jpg',
    'margin:-0.16666666666667px auto;"><a><img alt="oak.jpg" width="50" height="34"',
  ],
  ['', ':File:oak&#46;jpg', 'margin:35px auto;"><a><img alt="oak.jpg" width="120" height="80"'],
])('in a gallery with%s, the picture of %s is drawn at %s', (attributes, line, drawn) =>
  expect(gallery(attributes, line).boxes[0]).toContain(drawn),
);

it('an invisible caption counts as none', () =>
  expect(show('<gallery caption="<!-- x --> ">\noak.jpg\n</gallery>').html).not.toContain('gallerycaption'));

it('lines that name no file are left out', () =>
  expect(gallery('', '# x', '', '[[oak.jpg]]', '|x', 'oak.jpg').boxes).toHaveLength(1));
