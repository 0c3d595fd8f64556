/**
 * The list of active formatting elements (HTML standard, §13.2.4.3), which are reopened after a block or a cell closes them.
 *
 *   <b>a<p>b</b>c        the `b` goes on inside the paragraph
 */
import { limits } from './limits.ts';
import { nodeOf, type Open, sameAttributes } from './open-element.ts';

export class Formats {
  /** Open formatting, innermost last; `undefined` marks the start of a cell or caption. */
  readonly list: (Open | undefined)[] = [];

  /** Adds an element. Removes the oldest if there are too many, or too many with the same tag. */
  add(open: Open): void {
    const { list } = this;
    let count = 0;
    let same = 0;
    for (let index = list.length - 1; index >= 0; index--) {
      const other = list[index];
      if (!other) break;
      count++;
      // At most three identical elements, as in the standard.
      if (other.name === open.name && sameAttributes(nodeOf(other), nodeOf(open)) && ++same === 3) {
        list.splice(index, 1);
        count--;
      }
    }
    if (count >= limits.reopened) list.splice(list.lastIndexOf(undefined) + 1, 1);
    list.push(open);
  }

  remove(open: Open | undefined): void {
    const index = open ? this.list.indexOf(open) : -1;
    if (index >= 0) this.list.splice(index, 1);
  }

  /** Marks the start of a cell or caption. */
  addBorder(): void {
    this.list.push(undefined);
  }

  /** Removes the formatting of a cell or caption that ends. */
  clearToBorder(): void {
    while (this.list.length > 0 && this.list.pop());
  }

  /** Finds the innermost element `name` in this cell or caption. */
  find(name: string): Open | undefined {
    for (let index = this.list.length - 1; index >= 0; index--) {
      const open = this.list[index];
      if (!open || open.name === name) return open;
    }
    return undefined;
  }
}
