/** A small MediaWiki dump, and a parser of dumps to compare them. */
import { SaxesParser } from 'saxes';

export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const revision = (id: number, by: string, text: string) =>
  `<revision><id>${id}</id><timestamp>2011-03-0${id}T10:00:00Z</timestamp><contributor>${
    /^\d/.test(by) ? `<ip>${by}</ip>` : `<username>${by}</username><id>7</id>`
  }</contributor><comment>No. ${id}</comment><model>wikitext</model><text xml:space="preserve">${text}</text></revision>`;
export const dump = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
<siteinfo><sitename>Trees</sitename><namespaces><namespace key="0" /><namespace key="6">File</namespace></namespaces></siteinfo>
<page><title>Oak</title><ns>0</ns><id>1</id>${revision(1, 'Wilma', 'An oak &amp; more.')}${revision(2, '192.0.2.7', 'An [[elm tree]], [[/Leaf]].\n')}</page>
<page><title>Oak/Leaf</title><ns>0</ns><id>2</id>${revision(3, 'Fred', '  Beneath [[Oak]] &lt;b&gt;bold&lt;/b&gt;')}</page>
<page><title>Elm</title><ns>0</ns><id>3</id>${revision(4, 'Fred', 'Rough.')}</page>
<page><title>Elm tree</title><ns>0</ns><id>4</id>${revision(5, 'Fred', '#REDIRECT [[Elm]]')}</page>
<page><title>Template:Box</title><ns>10</ns><id>5</id>${revision(6, 'Wilma', '&lt;b>{{{1}}}&lt;/b>')}</page>
<page><title>File:Oak.png</title><ns>6</ns><id>6</id>${revision(7, 'Wilma', 'A picture.')}
<upload><timestamp>2011-03-07T10:00:00Z</timestamp><contributor><username>Wilma</username><id>7</id></contributor><filename>Oak.png</filename><contents encoding="base64">${pixel}</contents></upload></page>
</mediawiki>`;

export interface ReadPage {
  revisions: { text: string; author: string; at: string; comment: string }[];
  uploads: { filename: string; contents: string }[];
}

/** Pages of a dump by title. */
export function readDump(xml: string): Map<string, ReadPage> {
  const pages = new Map<string, ReadPage>();
  let page: ReadPage = { revisions: [], uploads: [] };
  let fields: Record<string, string> = {};
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    text = '';
    if (name === 'page') page = { revisions: [], uploads: [] };
    if (name === 'revision' || name === 'upload') fields = {};
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'title') pages.set(text, page);
    const {
      text: body = '',
      username,
      ip,
      timestamp = '',
      comment = '',
      filename = '',
      contents = '',
    } = fields;
    if (name === 'revision')
      page.revisions.push({ text: body, author: username ?? ip ?? '', at: timestamp, comment });
    else if (name === 'upload') page.uploads.push({ filename, contents });
    else fields[name] = text;
  });
  parser.write(xml).close();
  return pages;
}
