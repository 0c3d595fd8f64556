/** Blocks of GitBook: hints become callouts, tabs headings, embeds and files links. */
import type { Approximation } from '../../source.ts';
import { boxOf, convertTags, type FoundTag, outsideCode, tabOf, undented } from './tags.ts';

const pattern =
  /\{%-?[ \t]*(?<close>end)?(?<name>[a-z][\w-]*)(?<rest>[^\n]{0,500}?)(?<self>(?!))?[ \t]*-?%\}/g;
const boxes: Readonly<Record<string, string>> = {
  info: 'info',
  success: 'tip',
  tip: 'tip',
  warning: 'warning',
  danger: 'danger',
  working: 'note',
};
/** Blocks that are closed by a tag of their own. */
const paired =
  /^(?:hint|tabs|tab|code|content-ref|stepper|step|columns|column|swagger(?:-description|-parameter|-response)?|openapi|openapi-operation|api-method.*|prompt|updates|update|if|method)$/;

export function fromGitBook(text: string, approximated: Approximation[]): string {
  // `{% embed %}` and `{% file %}` may have a caption, which a closing tag ends.
  const captioned = new Set([...text.matchAll(/\{%-?\s*end(embed|file)\b/g)].map(([, name]) => name));
  const isPaired = (name: string) => paired.test(name) || (captioned.has(name) && isClosed(text, name));
  const blocks = convertTags(text, { pattern, isPaired, kind: 'block' }, convert, approximated);
  // Beside other text, GitBook shows a formula within the line.
  return outsideCode(blocks, (part) =>
    part.replace(
      /(?<=[^\s$].{0,300})\$\$([^$\n]{1,1000})\$\$|\$\$([^$\n]{1,1000})\$\$(?=[ \t]*[^\s$])/g,
      (before, behind?: string, ahead = '') => {
        const after = `$${(behind ?? ahead).trim()}$`;
        approximated.push({ construct: 'formula', before, after });
        return after;
      },
    ),
  );
}

/** Whether there is an end for each beginning. */
function isClosed(text: string, name: string): boolean {
  const count = (mark: string) => text.split(new RegExp(`\\{%-?\\s*${mark}${name}\\b`)).length;
  return count('') === count('end');
}

function convert({ name, attributes, inner = '' }: FoundTag): string | undefined {
  const { url, src, title } = attributes;
  switch (name) {
    case 'hint':
      return boxOf(boxes[attributes.style ?? ''] ?? 'note', undefined, inner);
    case 'tab':
      return tabOf(title ?? 'Tab', inner);
    case 'tabs':
    case 'stepper':
    case 'columns':
    case 'column':
      return `\n\n${undented(inner)}\n\n`;
    case 'step':
      return `\n\n${undented(inner)}\n\n`;
    case 'code':
      return `${title ? `**${title}**\n\n` : ''}${undented(inner)}\n`;
    case 'content-ref': {
      const link = undented(inner);
      return `\n\n${link.includes('](') || !url ? link : `[${link || url}](<${url}>)`}\n\n`;
    }
    case 'swagger':
    case 'api-method': {
      if (inner === undefined) return undefined;
      const { summary, method = 'get', baseUrl = '', path = '' } = attributes;
      const words = [summary, `\`${method.toUpperCase()} ${baseUrl}${path}\``].filter(Boolean);
      return `\n\n**${words.join('** **')}**\n\n${undented(inner)}\n\n`;
    }
    case 'swagger-description':
      return inner === undefined ? undefined : `\n\n${undented(inner)}\n\n`;
    case 'swagger-parameter':
    case 'swagger-response': {
      if (inner === undefined) return undefined;
      const words = [attributes.in, attributes.type, attributes.description].filter(Boolean).join(', ');
      return `\n\n**${attributes.name ?? attributes.status ?? ''}**${words ? ` (${words})` : ''}\n\n${undented(inner)}\n\n`;
    }
    case 'embed':
      return url ? `[${undented(inner) || url}](<${url}>)` : undefined;
    case 'file':
      return src ? `[${undented(inner) || src.replace(/^.*\//, '')}](<${src}>)` : undefined;
    default:
      return undefined;
  }
}
