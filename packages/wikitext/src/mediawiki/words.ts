/** Words that only mean something with MediaWiki's namespaces: `{{NAMESPACE}}`, `{{TALKPAGENAME:…}}`, `{{ns:10}}`, `{{fullurl:…}}`. */
import { protect } from '../functions/string.ts';
import { encodeTitle } from '../functions/variable.ts';
import { fullName, type Title, type Titles } from './titles.ts';

export function titleWords(
  titles: Titles,
  page: string,
  href: (title: string) => string,
  server: string,
): (name: string, argument: string | undefined) => string | undefined {
  return (name, argument) => {
    const lower = name.toLowerCase();
    if (lower === 'ns' || lower === 'nse') return titles.namespace(argument ?? '');
    if (argument !== undefined && /^(?:local|full|canonical)urle?$/.test(lower)) {
      const title = titles.read(argument);
      return title && (lower.startsWith('local') ? '' : server) + href(fullName(title));
    }
    const isEncoded = !plainWords.test(name) && name.endsWith('E') && plainWords.test(name.slice(0, -1));
    const word = isEncoded ? name.slice(0, -1) : name;
    if (!plainWords.test(word)) return undefined;
    const title = titles.read(argument ?? page);
    if (!title) return '';
    const value = titleWord(titles, word, title);
    return protect(isEncoded ? encodeTitle(value).replaceAll('%3A', ':') : value);
  };
}

const plainWords =
  /^(?:(?:FULL|BASE|ROOT|SUB|TALK|SUBJECT|ARTICLE)?PAGENAME|NAMESPACE(?:NUMBER)?|(?:TALK|SUBJECT|ARTICLE)SPACE)$/;

function titleWord(titles: Titles, word: string, title: Title): string {
  const { namespace, text } = title;
  const parts = text.split('/');
  switch (word) {
    case 'FULLPAGENAME':
      return fullName(title);
    case 'BASEPAGENAME':
      return parts.length > 1 ? parts.slice(0, -1).join('/') : text;
    case 'ROOTPAGENAME':
      return parts[0] ?? '';
    case 'SUBPAGENAME':
      return parts[parts.length - 1] ?? '';
    case 'NAMESPACE':
      return namespace;
    case 'NAMESPACENUMBER':
      return String(titles.number(namespace));
    case 'TALKSPACE':
      return titles.talk(namespace);
    case 'SUBJECTSPACE':
    case 'ARTICLESPACE':
      return titles.subject(namespace);
    case 'TALKPAGENAME':
      return fullName({ namespace: titles.talk(namespace), text });
    case 'SUBJECTPAGENAME':
    case 'ARTICLEPAGENAME':
      return fullName({ namespace: titles.subject(namespace), text });
    default:
      return text;
  }
}
