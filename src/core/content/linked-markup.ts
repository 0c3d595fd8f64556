/**
 * Markup of a page for people who are shown few pages, such as by a secret link: links to those pages lead there, files are fetched by
 * the link, and other links within the wiki are plain text.
 */

interface LinkedAddresses {
  /** Address of the page at the path, or undefined if it is not shown. */
  page(path: string): string | undefined;
  /** Secret of the link by which files are fetched. */
  secret?: string;
  /** Scheme and host of the wiki. */
  origin: string;
}

/** The renderer writes attributes in double quotes, in which no quotation mark stands, and never nests links. */
const link = /<a\b((?:[^>"]|"[^"]*")*)>(.*?)<\/a>/gs;
const tag = /<[a-z](?:[^>"]|"[^"]*")*>/g;
/** Attributes that name files. Other text, such as an address at another site, may contain `/files/` too. */
const source = /\s(?:href|src|srcset|poster)="[^"]*"/g;
const file = /(["\s]\/files\/[^\s"?,&<>]+)(\?w=\d+)?(?=["\s,])/g;

/** Links to pages that are not shown become text, and files get the secret. */
export function linkedMarkup(markup: string, addresses: LinkedAddresses): string {
  const { secret } = addresses;
  const linked = markup.replace(link, (whole, attributes: string, inside: string) => {
    const [found, href = ''] = /\shref="([^"]*)"/.exec(attributes) ?? [];
    if (found === undefined) return whole;
    const to = addressOf(href, addresses);
    return to === undefined ? inside : whole.replace(found, () => ` href="${to}"`);
  });
  if (secret === undefined) return linked;
  const withSecret = (_: string, name: string, width: string | undefined) =>
    `${name}${width ? `${width}&amp;` : '?'}link=${secret}`;
  return linked.replace(tag, (one) =>
    one.replace(source, (attribute) => attribute.replace(file, withSecret)),
  );
}

function addressOf(href: string, { page, origin }: LinkedAddresses): string | undefined {
  const local = href.startsWith(`${origin}/`) ? href.slice(origin.length) : href;
  if (/^(?:#|https?:|mailto:|tel:|\/files\/)/i.test(local)) return local;
  const [path = '', fragment] = local.split('#', 2);
  let to: string | undefined;
  try {
    to = page(decodeURIComponent(path.replaceAll('&#39;', "'").replaceAll('&amp;', '&')));
  } catch {
    // No page has such an address.
  }
  return to === undefined || fragment === undefined ? to : `${to}#${fragment}`;
}
