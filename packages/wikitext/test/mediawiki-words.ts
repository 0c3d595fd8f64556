/** Words that only mean something with MediaWiki's namespaces. */
import { protect } from '../src/functions/string.ts';
import { encodeTitle } from '../src/functions/variable.ts';
import { fixtures, original } from './mediawiki-files.ts';
import { fullName, namespaces, readTitle, type Site, type Title, titleHref } from './mediawiki-titles.ts';

export function pageWords(site: Site): (name: string, argument: string | undefined) => string | undefined {
  return (name, argument) => {
    const lower = name.toLowerCase();
    if (lower === 'ns' || lower === 'nse') return namespaceName(argument ?? '');
    if (lower === 'filepath') return filePath(argument ?? '');
    if (name === 'SCRIPTPATH') return '/';
    const url = urlWord(name, argument);
    if (url !== undefined) return url;
    const isEncoded =
      name.endsWith('E') &&
      name !== 'NAMESPACE' &&
      name !== 'TALKSPACE' &&
      name !== 'SUBJECTSPACE' &&
      name !== 'ARTICLESPACE' &&
      !name.endsWith('NAME');
    const word = isEncoded ? name.slice(0, -1) : name;
    const title = readTitle(argument ?? site.title);
    if (!title) return isTitleWord(word) ? '' : undefined;
    const value = titleWord(word, title);
    if (value === undefined) return undefined;
    return protect(isEncoded ? encodeTitle(value).replaceAll('%3A', ':') : value);
  };
}

function urlWord(name: string, argument: string | undefined): string | undefined {
  if (!/^(?:local|full|canonical)urle?$/i.test(name) || argument === undefined) return undefined;
  const title = readTitle(argument);
  if (!title) return undefined;
  return (name.toLowerCase().startsWith('local') ? '' : 'http://example.org') + titleHref(fullName(title));
}

function filePath(argument: string): string {
  const title = readTitle(argument, 'File');
  return title !== undefined && title.text in fixtures ? original(title.text) : '';
}

function isTitleWord(word: string): boolean {
  return /^(?:FULL|BASE|ROOT|SUB|TALK|SUBJECT|ARTICLE)?PAGENAME$|^(?:NAMESPACE|TALKSPACE|SUBJECTSPACE|ARTICLESPACE)$/.test(
    word,
  );
}

function titleWord(word: string, title: Title): string | undefined {
  const parts = title.text.split('/');
  switch (word) {
    case 'PAGENAME':
      return title.text;
    case 'FULLPAGENAME':
      return fullName(title);
    case 'BASEPAGENAME':
      return parts.length > 1 ? parts.slice(0, -1).join('/') : title.text;
    case 'ROOTPAGENAME':
      return parts[0] ?? '';
    case 'SUBPAGENAME':
      return parts[parts.length - 1] ?? '';
    case 'NAMESPACE':
      return title.namespace;
    case 'NAMESPACENUMBER':
      return String(namespaces.find(([, name]) => name === title.namespace)?.[0] ?? 0);
    case 'TALKSPACE':
      return talk(title.namespace);
    case 'SUBJECTSPACE':
    case 'ARTICLESPACE':
      return subject(title.namespace);
    case 'TALKPAGENAME':
      return `${talk(title.namespace)}:${title.text}`;
    case 'SUBJECTPAGENAME':
    case 'ARTICLEPAGENAME':
      return fullName({ namespace: subject(title.namespace), text: title.text });
    default:
      return undefined;
  }
}

function talk(namespace: string): string {
  if (namespace === '') return 'Talk';
  return / talk$|^Talk$/.test(namespace) ? namespace : `${namespace} talk`;
}

function subject(namespace: string): string {
  return namespace === 'Talk' ? '' : namespace.replace(/ talk$/, '');
}

function namespaceName(argument: string): string | undefined {
  const text = argument.trim().replaceAll('_', ' ');
  if (/^0+$/.test(text)) return '';
  const number = /^-?\d+$/.test(text) ? Number(text) : undefined;
  const found = namespaces.find(([id, name]) =>
    number === undefined ? name.toLowerCase() === text.toLowerCase() : id === number,
  );
  return found?.[1] ?? (text.toLowerCase() === 'image' ? 'File' : undefined);
}
