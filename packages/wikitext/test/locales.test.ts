import { describe, expect, it } from 'vitest';
import { rulesOf } from '../src/dialect.ts';
import { parse, references } from '../src/index.ts';
import { commonInterwiki, localeCodes, localNames } from '../src/locales.ts';
import { show } from './world.ts';

const german = `#WEITERLEITUNG [[Oak]]`;

describe('names in the language of the wiki', () => {
  it('a German page reads as it did there', () => {
    const html = (source: string) => show(source, {}, 'de').html.trimEnd();
    expect(html('[[Datei:oak.jpg|mini|links|hochkant|alternativtext=Eiche|verweis=Elm|Eine Eiche]]')).toBe(
      show('[[File:oak.jpg|thumb|left|upright|alt=Eiche|link=Elm|Eine Eiche]]').html.trimEnd(),
    );
    expect(html('[[Bild:oak.jpg|gerahmt]]')).toBe(show('[[File:oak.jpg|frame]]').html.trimEnd());
    expect(html('{{Vorlage:Greeting|Ann}} {{vorlage:Greeting}}')).toBe('<p>Hello Ann! Hello you!\n</p>');
    expect(html('{{SEITENNAME}} {{#wenn: x | ja | nein }} {{SORTIERUNG:Eiche}}{{SITENAME}}')).toBe(
      '<p>Bark ja Woods\n</p>',
    );
    expect(html('__KEIN_INHALTSVERZEICHNIS__\n__Inhaltsverzeichnis__x')).toBe(html('__NOTOC__\n__TOC__x'));
    expect(html('[[Hilfe:Inhalt]]')).toContain('>Hilfe:Inhalt</a>');
    expect(html('[[wikipedia:Eiche]]')).toContain('href="https://de.wikipedia.org/wiki/Eiche"');
    expect(html(german)).toBe(show('#REDIRECT [[Oak]]').html.trimEnd());
  });

  it('a category in any language is the category tag', () => {
    const rules = rulesOf({ language: 'de', interwiki: {}, names: localNames('de'), tags: {} });
    const { tags, redirect } = references(parse('[[Kategorie:Baum|x]][[Category:Tree]]', { rules }));
    expect(tags).toEqual([
      { key: 'category', value: 'Baum' },
      { key: 'category', value: 'Tree' },
    ]);
    expect(redirect).toBeUndefined();
    expect(references(parse(german, { rules })).redirect?.target).toBe('Oak');
    expect(references(parse(german)).redirect).toBeUndefined();
  });

  it('names of other languages have no effect in an English wiki', () => {
    expect(show('[[Datei:oak.jpg]]').html).toBe('');
    expect(show('{{SEITENNAME}}').html).toContain('SEITENNAME');
    expect(show('[[File:oak.jpg|mini]]').html).not.toContain('thumb');
    expect(show('__INHALTSVERZEICHNIS__').html).toContain('__INHALTSVERZEICHNIS__');
  });

  it.each(localeCodes)('%s has names for files, categories, templates, redirects and pictures', (code) => {
    const { namespaces, redirects, options, switches, words } = localNames(`${code.toUpperCase()}-x-any`);
    const english = (name: string) => (namespace: string) => namespaces[namespace] === name;
    const own = Object.keys(namespaces);
    expect(own.some(english('category'))).toBe(true);
    expect(own.some(english('page'))).toBe(true);
    expect(own.every((name) => name === name.toLowerCase())).toBe(true);
    expect(redirects.length).toBeGreaterThan(0);
    for (const format of ['thumb', 'left', 'right', 'center', 'none', 'frame', 'frameless', 'border'])
      expect(Object.values(options), format).toContain(format);
    expect(Object.values(switches)).toEqual(expect.arrayContaining(['toc', 'notoc', 'forcetoc']));
    expect(Object.values(words)).toContain('PAGENAME');
    const file = own.find(english('file')) ?? '';
    const thumb = Object.keys(options).find((name) => options[name] === 'thumb');
    expect(show(`[[${file}:oak.jpg|${thumb}]]`, {}, code).html).toBe(show('[[File:oak.jpg|thumb]]').html);
    expect(commonInterwiki(code).w).toBe(`https://${code}.wikipedia.org/wiki/$1`);
  });

  it('widths may have a unit in the language', () => {
    expect(show('[[File:oak.jpg|200пкс]] [[File:oak.jpg|200x90пкс]]', {}, 'ru').html).toBe(
      show('[[File:oak.jpg|200px]] [[File:oak.jpg|200x90px]]').html,
    );
  });

  it('an unknown language has only the English names', () => {
    expect(show('[[File:oak.jpg|thumb]] __NOTOC__', {}, 'tlh').html).toBe(
      show('[[File:oak.jpg|thumb]] __NOTOC__').html,
    );
    expect(localNames('__proto__').redirects).toEqual([]);
  });

  it('months and days have their names in the language', () => {
    const html = (source: string, language = 'de') => show(source, {}, language).html.trimEnd();
    expect(html('{{#time: l, j. F Y | 2026-05-01 }}')).toBe('<p>Freitag, 1. Mai 2026\n</p>');
    expect(html('{{#time: l j F Y | 2026-05-01 | fr }}')).toBe('<p>vendredi 1 mai 2026\n</p>');
    expect(html('{{#time: l | 2026-05-01 | en }} {{#time: l | 2026-05-01 | no such language }}')).toBe(
      '<p>Friday Friday\n</p>',
    );
    expect(html('{{CURRENTMONTHNAME}} {{CONTENTLANGUAGE}}', 'ru')).toBe('<p>май ru\n</p>');
    expect(html('{{#time: j xg Y | 2026-05-01 }} {{CURRENTMONTHNAMEGEN}}', 'ru')).toBe(
      '<p>1 мая 2026 мая\n</p>',
    );
    expect(html('{{#time: F}}', 'en')).toBe('<p>May\n</p>');
  });
});
