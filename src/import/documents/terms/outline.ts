/** Outline: blocks that fold, and sizes of pictures in their titles. */
import type { Approximation } from '../../source.ts';
import { outsideFences, summaryOf } from './tags.ts';

const toggle = /^\+\+\+[ \t]+(\S[^\n]{0,300})\n((?:(?!\+\+\+)[^\n]*\n){1,2000}?)\+\+\+[ \t]*$/gm;
const size = /(!\[[^\]\n]{0,500}\]\([^\s()]{1,1000}) "(?:[^"\n]{0,200}?) ?=(\d{1,5})x(\d{1,5})"\)/g;

export function fromOutline(text: string, approximated: Approximation[]): string {
  const named = (construct: string, before: string, after: string) => {
    approximated.push({ construct, before: before.slice(0, 500), after: after.slice(0, 500) });
    return after;
  };
  return outsideFences(text, (part) =>
    part
      .replace(toggle, (before, title: string, inside: string) =>
        named('folded text', before, `<details>\n${summaryOf(title)}\n\n${inside.trim()}\n\n</details>`),
      )
      .replace(size, (before, picture: string, width: string, height: string) =>
        named('size of a picture', before, `${picture}){width=${width} height=${height}}`),
      ),
  );
}
