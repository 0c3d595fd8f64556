/** Files that cannot be imported, recognised by their first bytes: each is named as what it is, with what to do instead. */
import { Problem } from '#core/model/problem.ts';

const unpack = (name: string, by: string) =>
  `The file is compressed with ${name}. Unpack it (${by}), and import the content.`;
const convert = (name: string, to: string) => `The file is ${name}. Save it as ${to}, and import the result.`;
const documents = '.docx, .odt or .html';

/** First bytes, as Latin-1, and the sentence. */
const forms: readonly [beginning: RegExp, sentence: string][] = [
  [/^7z\xbc\xaf\x27\x1c/, unpack('7-Zip (.7z)', '7z x FILE')],
  [/^\xfd7zXZ\0/, unpack('xz (.xz)', 'xz -d FILE, or tar -xf FILE for .tar.xz')],
  [/^Rar!\x1a\x07/, unpack('RAR (.rar)', 'unrar x FILE')],
  [/^\x5d\0\0\x80\0/, unpack('LZMA (.lzma)', 'xz -d FILE')],
  [/^LZIP/, unpack('lzip (.lz)', 'lzip -d FILE')],
  [/^\x04\x22\x4d\x18/, unpack('LZ4 (.lz4)', 'lz4 -d FILE')],
  [/^\x1f[\x9d\xa0]/, unpack('compress (.Z)', 'uncompress FILE')],
  [/^MSCF\0/, unpack('Windows (.cab)', 'cabextract FILE')],
  [/^%PDF-/, convert('a PDF', documents)],
  [
    /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/,
    convert('an old document of Microsoft Office (.doc, .xls, .ppt)', documents),
  ],
  [/^\{\\rtf/, convert('a document in RTF', documents)],
  [
    /^SQLite format 3\0/,
    'The file is an SQLite database. Export the wiki that it belongs to, and import the export.',
  ],
  [
    /^(?:--|\/\*)[\s\S]{0,200}?(?:MySQL|MariaDB|PostgreSQL database|phpMyAdmin)[\s\S]{0,20}?\bdump/i,
    'The file is a dump of a database. Export the wiki that it belongs to, and import the export: for a MediaWiki, use dumpBackup.',
  ],
  [
    /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF[\s\S]{4}WEBP)/,
    'The file is a picture. Attach it to a page, or import the folder with the documents that show it.',
  ],
];

/** Refuses `invalid` for files of these forms. `beginning`: as Latin-1. */
export function refuseForeign(beginning: string): void {
  const found = forms.find(([pattern]) => pattern.test(beginning));
  if (found) throw new Problem('invalid', found[1]);
}

/** Refuses `invalid` for a package whose contents are no wiki. */
export function refusePackage(packing: keyof typeof packages): never {
  const [name, command] = packages[packing];
  throw new Problem(
    'invalid',
    `The file is compressed with ${name}, but contains neither a dump of a MediaWiki nor a tar archive. Unpack it (${command}), and import the content.`,
  );
}

const packages = {
  gzip: ['gzip (.gz)', 'gzip -d FILE'],
  bzip2: ['bzip2 (.bz2)', 'bzip2 -d FILE'],
  zstd: ['Zstandard (.zst)', 'zstd -d FILE'],
} as const;
