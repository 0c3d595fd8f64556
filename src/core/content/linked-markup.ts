/**
 * Markup of a page for those who read it by a secret link: links to pages that the link shows lead through it, files are fetched by
 * it, and other links within the wiki are plain text.
 */

export interface LinkedAddresses {
  /** Address of the page at the path, or undefined if the link does not show it. */
  page(path: string): string | undefined;
  secret: string;
  /** Scheme and host of the wiki. */
  origin: string;
}

/** The renderer writes attributes in double quotes, in which no quotation mark stands, and never nests links. */
const link = /<a\b((?:[^>"]|"[^"]*")*)>(.*?)<\/a>/gs;
const tag = /<[a-z](?:[^>"]|"[^"]*")*>/g;
const file = /((?:^|[\s"(,;])\/files\/[^\s"?,&<>]+)(\?w=\d+)?/g;

/** Markup for readers of a secret link: links to pages that it does not show become text, and files get its secret. */
export function linkedMarkup(markup: string, addresses: LinkedAddresses): string {
  return markup
    .replace(link, (whole, attributes: string, inside: string) => {
      const [found, href = ''] = /\shref="([^"]*)"/.exec(attributes) ?? [];
      if (found === undefined) return whole;
      const to = addressOf(href, addresses);
      return to === undefined ? inside : whole.replace(found, () => ` href="${to}"`);
    })
    .replace(tag, (one) =>
      one.replace(
        file,
        (_, name: string, width: string | undefined) =>
          `${name}${width ? `${width}&amp;` : '?'}link=${addresses.secret}`,
      ),
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
