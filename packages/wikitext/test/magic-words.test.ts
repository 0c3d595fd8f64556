/** Magic words about the wiki, its files and the page's own title. */
import { describe, expect, it } from 'vitest';
import { displayTitle, type ExpandContext, expand } from '../src/index.ts';
import { show } from './world.ts';

const text = (source: string, language = 'en') => show(source, {}, language).html.trim();
const line = (source: string, language = 'en') => text(source, language).replace(/^<p>|\n<\/p>$/g, '');

function expanded(source: string, others: Partial<ExpandContext> = {}) {
  const empty = { templates: new Map(), exists: new Map(), listings: new Map(), now: 0 };
  return expand(source, { page: { title: 'Oak', path: '/oak' }, ...empty, ...others });
}

describe('numbers of the wiki', () => {
  it.each([
    ['{{NUMBEROFPAGES}}', '1,234'],
    ['{{NUMBEROFARTICLES:R}}', '1234'],
    ['{{PAGESINCATEGORY:Trees}}', '1,234'],
    ['{{PAGESINCAT:Trees|R}}', '1234'],
    ['{{PAGESINCATEGORY:Trees|pages|R}}', '1234'],
    ['{{PAGESINCATEGORY:Trees|files}}', '0'],
    ['{{PAGESIZE:Oak}} {{PAGESIZE:Oak|R}}', '1,234 1234'],
    ['{{#expr: {{NUMBEROFPAGES:R}} + 1 }}', '1235'],
    ['{{REVISIONSIZE}} {{REVISIONSIZE:Oak}}', '1,234 1,234'],
    ['{{PROTECTIONLEVEL:edit}}{{PROTECTIONEXPIRY:edit}}', 'infinity'],
  ])('%s', (source, shown) => expect(line(source)).toBe(shown));

  it('are written as in the language', () => expect(line('{{NUMBEROFPAGES}}', 'de')).toBe('1.234'));

  it('are requested from the host, each once', () => {
    const { listings } = expanded('{{PAGESINCATEGORY:A|R}} {{PAGESINCATEGORY:A}} {{PAGESIZE:/b}}').needs;
    expect(listings.map((listing) => listing.arguments)).toEqual([
      { key: 'category', of: 'tag', value: 'A' },
      { of: 'size', page: '/b' },
    ]);
    expect(listings.every(({ name }) => name === 'Count')).toBe(true);
  });

  it('that readers may not see leave their name', () =>
    expect(line('{{NUMBEROFUSERS}} {{NUMBEROFEDITS:R}}')).toMatch(
      /class="unsupported".*>NUMBEROFUSERS<.*>NUMBEROFEDITS</,
    ));

  it('cannot be called as listings', () => expect(text('{{Count}}')).toContain('Count</a>'));
});

describe('namespaces', () => {
  it.each([
    ['{{ns:0}}', ''],
    ['{{ns:6}}', 'File'],
    ['{{ns:-2}}', 'Media'],
    ['{{ns:image}}', 'File'],
    ['{{ns:user_talk}} {{nse:3}}', 'User talk User_talk'],
    ['{{ns:14}}', 'Category'],
  ])('%s', (source, shown) => expect(line(source)).toBe(shown));
});

describe('words of MediaWiki with little effect here', () => {
  it.each([
    [
      'a{{SHORTDESC:A tree|noreplace}}{{noexternallanglinks}}{{STYLEPATH}}{{CASCADINGSOURCES}}{{#assessment:x}}b',
      'ab',
    ],
    ['a__ARCHIVEDTALK____NOTALK____EXPECTED_UNCONNECTED_PAGE____EXPECTWITHOUTSCANS__b', 'ab'],
    ['__NOT_A_WORD__', '__NOT_A_WORD__'],
    ['{{ARTICLEPATH}} {{USERLANGUAGE}} {{TRANSLATIONLANGUAGE}} {{#contentmodel:}}', '/$1 en en wikitext'],
    ['{{#speciale:recent changes}}', 'Special:recent_changes'],
    ['{{#isbn:978-0-14-044953-9}} {{#isbn:978-0-14-044953-9|a book}}', 'ISBN 978-0-14-044953-9 a book'],
  ])('%s', (source, shown) => expect(line(source)).toBe(shown));

  it.each(['NUMINGROUP:sysop', 'PAGESINNS:0', 'NUMBEROFVIEWS', 'REVISIONUSER:Elm', 'REVISIONYEAR:Elm'])(
    '{{%s}} leaves its name',
    (word) => expect(line(`{{${word}}}`)).toContain(`title="This wiki has no ${word.replace(/:.*/, '')}."`),
  );
});

describe('files', () => {
  it.each([
    ['{{#ifexist: File:oak.jpg | yes | no }}', 'yes'],
    ['{{#ifexist: Media:oak.jpg | yes | no }}', 'yes'],
    ['{{#ifexist: Image:none.jpg | yes | no }}', 'no'],
    ['{{#ifexist: :File:oak.jpg | yes | no }}', 'yes'],
    ['{{filepath:oak.jpg}} or {{filepath:none.jpg}}', 'https://woods.example/files/1/oak.jpg or '],
    ['{{filepath:oak.jpg|nowiki}}', 'https://woods.example/files/1/oak.jpg'],
  ])('%s', (source, shown) => expect(line(source).replace(/<[^>]*>/g, '')).toBe(shown));

  it('have names in the language of the wiki', () =>
    expect(line('{{#ifexist: Datei:oak.jpg | ja | nein }}', 'de')).toBe('ja'));

  it('are requested from the host', () => {
    const files = new Map([['b.png', null]]);
    expect(expanded('{{#ifexist:File:a.png|x}}{{filepath:b.png}}', { files }).needs.files).toEqual(['a.png']);
  });
});

describe('the title that is shown', () => {
  it.each([
    ["''Oak'' tree", 'Oak tree', '<i>Oak</i> tree'],
    ['oak_tree', 'Oak tree', 'oak_tree'],
    ['<span style="display:none" class="x" lang="la">Oak</span>', 'Oak', '<span lang="la">Oak</span>'],
    ['H<sub>2</sub>O', 'H2O', 'H<sub>2</sub>O'],
    ['[[Elm|Oak]]<ref>note</ref>', 'Oak', 'Oak'],
    ['a &lt;b&gt; c', 'a <b> c', 'a &lt;b&gt; c'],
    ['<nowiki>Oak</nowiki>', 'Oak', 'Oak'],
  ])('%s of %s', (written, title, html) => expect(displayTitle(written, title)).toBe(html));

  it.each([
    ['Elm', 'Oak'],
    ['', 'Oak'],
    ['Oak<script>alert(1)</script>', 'Oak'],
    [`${"''".repeat(2000)}Oak`, 'Oak'],
  ])('%j is refused for %s', (written, title) => expect(displayTitle(written, title)).toBeUndefined());

  it('is the last one, and shows nothing in its place', () => {
    const { text, displayTitle } = expanded(
      "a{{DISPLAYTITLE:x}}{{DISPLAYTITLE:''{{PAGENAME}}''}}b{{DISPLAYTITLE:}}",
    );
    expect([text, displayTitle]).toEqual(['ab', "''Oak''"]);
  });

  it('comes with sort keys that are not shown', () =>
    expect(expanded('a{{DEFAULTSORT:Oak}}{{DEFAULTSORTKEY:x|noerror}}b').text).toBe('ab'));
});

describe('numbers and forms of words in a language', () => {
  it.each([
    ['{{formatnum:1234567.891}}', 'de', '1.234.567,891'],
    ['{{formatnum:1.234,5|R}}', 'de', '1234.5'],
    ['{{formatnum:1234.5|NOSEP}}', 'de', '1234,5'],
    ['{{formatnum:1234}} {{formatnum:12345}}', 'es', '1234 12.345'],
    ['{{formatnum:-1234567.8}} {{formatnum:۱٬۲۳۴٫۵|R}}', 'fa', '−۱٬۲۳۴٬۵۶۷٫۸ 1234.5'],
    ['{{formatnum:1234|NOSEP}} {{formatnum:12345|R}}', 'bn', '১২৩৪ 12345'],
    ['{{formatnum:00001}} {{formatnum:-1234}}', 'en', '00,001 −1,234'],
    ['{{formatnum:1,234.5|R}} {{formatnum:−1,234|R}}', 'en', '1234.5 -1234'],
    ['{{formatnum:from 1000 to 20000}} {{formatnum:.5}}', 'en', 'from 1,000 to 20,000 .5'],
    ['{{plural:1|a|b|c}} {{plural:3|a|b|c}} {{plural:5|a|b|c}} {{plural:21|a|b|c}}', 'ru', 'a b c a'],
    ['{{plural:0|un|des}} {{plural:2|un|des}}', 'fr', 'un des'],
    [
      '{{plural:0|a|b}} {{plural:1|a|b}} {{plural:7|only}} {{plural:12|a|b|12=dozen}}',
      'en',
      'b a only dozen',
    ],
  ])('%s in %s', (source, language, shown) => expect(line(source, language)).toBe(shown));
});
