import { expect, test } from 'vitest';
import { safeSiteName } from './safe-names.ts';

test.each([
  ['a.html', 'text/html'],
  ['a.HTM', 'text/html'],
  ['a.shtml', 'text/plain'],
  ['a.xhtml', 'application/xhtml+xml'],
  ['a.svg', 'image/svg+xml'],
  ['a.svgz', 'application/gzip'],
  ['a.xml', 'text/xml'],
  ['a.xsl', 'text/plain'],
  ['a.mhtml', 'multipart/related'],
  ['a.mht', 'text/plain'],
  ['a.swf', 'application/x-shockwave-flash'],
  ['a.js', 'text/plain'],
  ['a.mjs', 'text/javascript'],
  ['a.php', 'text/plain'],
  ['a.htaccess', 'text/plain'],
  ['a.gpx', 'application/gpx+xml'],
  ['a', 'text/plain'],
  ['a.', 'text/plain'],
  ['a.unknown', 'application/octet-stream'],
  // The contents are other than the extension says.
  ['a.png', 'text/html'],
  ['a.pdf', 'image/svg+xml; charset=utf-8'],
])('%s of the type %s becomes a text', (name, mime) => {
  expect(safeSiteName({ name, mime })).toMatch(/^a.*\.txt$/);
});

test.each([
  ['a.php.png', 'image/png', 'a-php.png'],
  ['a.phtml.PDF', 'application/pdf', 'a-phtml.PDF'],
  ['a.html.gz', 'application/gzip', 'a-html.gz'],
  ['a.svg.gz', 'application/gzip', 'a-svg.gz'],
  ['a.shtml', 'text/plain', 'a-shtml.txt'],
  ['a.cgi.php.js.txt', 'text/plain', 'a-cgi-php-js.txt'],
])('%s has no active extension within: %s', (name, mime, safe) => {
  expect(safeSiteName({ name, mime })).toBe(safe);
});

test.each([
  ['report.v1.2.pdf', 'application/pdf'],
  ['a.png', 'image/png'],
  ['thumb-a.webp', 'image/webp'],
  ['a.pdf', 'application/pdf'],
  ['a.txt', 'text/plain; charset=utf-8'],
  ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.mp4', 'video/mp4'],
])('%s of the type %s keeps its name', (name, mime) => {
  expect(safeSiteName({ name, mime })).toBe(name);
});
