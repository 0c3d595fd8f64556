/** Validates books with EPUBCheck (Debian package epubcheck). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWiki } from '../support/cli.ts';
import { pixel, plant } from '../support/import-source.ts';

const texts: Record<string, string> = {
  'Oak.wikitext': `== Bark ==\n: indented\n:: more\n[[Elm]] [[Nothing]] [[#Bark]] <math>\\frac{a}{b}</math> a<ref name="x y">Said.</ref>
{| border=1 align=center\n|+ Caption\n! a !! b\n|-\n| colspan=2 valign=top | c\n|}
<center><font color="red">old</font></center> <span><div>block</div></span> <tt>t</tt> <big>b</big>
<ul><b>x</b></ul> <div id="twice">1</div><div id="twice">2</div> <h2>Q “?” <div>d</div></h2> [http://example.org/{a} x]`,
  'Oak/Leaf.wikitext':
    '; a : b\n* one\n** two\n# three\n<gallery>\nFile:none.png|none\n</gallery>\n<poem>a\nb</poem>',
  'Elm.wikitext':
    '<syntaxhighlight lang="c">int a;</syntaxhighlight>\n<blockquote>q</blockquote>\n----\n#a:b\n;x',
};

const notes: Record<string, string | Buffer> = {
  'Ça & “là” <b>.md':
    '---\ntags: [x]\n---\n# Ça & <b>\n\n| a | b |\n|:-:|--:|\n| 1 | `x|y` |\n\n- [x] done\n- [ ] open\n\n![An oak|30](img/an%20oak.png) ![](img/drawing.svg)\n',
  'ورقة.md':
    '# ورقة\n\nشجرة **البلوط** [[Ça & “là” <b>]]\n\n> [!warning] Title\n> Careful[^1].\n\n[^1]: A *note*.\n',
  '🌳.md':
    '# 🌳\n\n$$\\sum_{i=0}^n \\frac{a}{b}$$ and $x^2$\n\n```js\nlet a = "<b>";\n```\n\n<details><summary>More</summary>\n\nText <kbd>K</kbd> <mark>m</mark>\n\n</details>\n',
  'CON.md': 'a.  \nb\n\n***\n\n1. x\n   - y\n\nTerm\n: Definition\n',
  'img/an oak.png': pixel,
  'img/drawing.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><title>D</title><rect width="1" height="1"/></svg>',
};

test('EPUBCheck finds no error in a book of all kinds of markup', async () => {
  await using wiki = await startWiki();
  await wiki.administrator();
  const folder = join(wiki.folder, 'texts');
  mkdirSync(join(folder, 'Oak'), { recursive: true });
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(folder, path), text);
  expect((await wiki.coppice(['import', folder])).code).toBe(0);
  expect((await wiki.coppice(['import', plant(wiki, notes, 'notes'), '--parent', '/notes'])).err).toBe('');
  const book = join(wiki.folder, 'book.epub');
  const { code, err } = await wiki.coppice(['export', '--format', 'epub', '--to', book]);
  expect(code, err).toBe(0);
  const told = execFileSync('java', ['-jar', '/usr/bin/epubcheck', book], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(told).toContain('0 fatals / 0 errors');
}, 300_000);
