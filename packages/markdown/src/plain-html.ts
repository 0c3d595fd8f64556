/**
 * HTML of a text as programs show it that know only CommonMark and GitHub's tables. Independent of the tree and of the wiki's own
 * constructs, so that both readings of a text can be compared. Not sanitised: for reading, never for showing.
 */
import createMarkdownIt from 'markdown-it';

const parser = createMarkdownIt({ html: true, linkify: false, typographer: false });
parser.validateLink = () => true;

/** The HTML is not safe to show: tags and scripts of the source are in it. Nothing throws. */
export function commonMarkHtml(source: string): string {
  return parser.render(source);
}
