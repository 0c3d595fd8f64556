/**
 * Writes inline content so that every part that was not edited keeps its bytes. Characters and nodes of the edited text are
 * aligned with those of the source. Runs that are the same in both are copied, with all marks between them; between runs, marks
 * are closed and opened as the text needs them, and new text is escaped.
 *
 *   a '''b &amp; c'''      with `c` changed to `d`, not bold      becomes      a '''b &amp;''' d
 */
import { alignUnits } from './align.ts';
import { betweenMarks, isSpace, type Range, type SourceMark, type Unit } from './nodes.ts';

/** The place of inline content, which decides what has to be escaped. */
export type Place = {
  kind: 'block' | 'line' | 'heading' | 'td' | 'th' | 'caption' | 'term' | 'label';
  /** Whether line ends become spaces. */
  isOneLine: boolean;
  /** Whether the first character begins a line. */
  isLineStart: boolean;
};

/** Length of the end of what is written, as languages look at it: the marks of a line. */
const tailLength = 200;

/** The place of a piece of text among other inline content. `isFirst`: whether nothing stands before it in its block. */
export type TextPlace = Place & {
  isFirst: boolean;
  /** End of the text that is written before, and whether more follows. */
  before: string;
  goesOn: boolean;
  /** Innermost link around the text. */
  link: SourceMark | undefined;
  isCode: boolean;
};

/** How a language writes inline content. */
export type InlineLanguage = {
  /** Markup around text with a mark. */
  marks(mark: SourceMark): { open: string; close: string };
  /** A whole link, if it needs no label; undefined otherwise. `next`: character after it. */
  link(mark: SourceMark, text: string, place: Place): string | undefined;
  /** `old`: the node of the same origin. */
  node(unit: Unit, old: Unit | undefined, place: Place): string;
  text(text: string, place: TextPlace): string;
  /** Whether no mark may stand within this one. */
  isInnermost?(mark: SourceMark): boolean;
  /** Separates two parts that would otherwise become one piece of markup; mostly nothing. */
  between(before: string, after: string, closed: SourceMark | undefined): string;
};

/** Inline content as the source has it: its units, and their range in the source, as offsets in UTF-16 code units. */
export type Leaf = { units: readonly Unit[]; content: Range };

type Open = { key: string; mark: SourceMark; open: string; close: string };
/** A unit to be written: with the old unit that it is, or the old units of a whole link. */
type Step = { unit: Unit; at: number; old: number | undefined; count: number; whole?: SourceMark };

/**
 * Returns the source of inline content. Units that are equal in `old` keep their bytes; without `old`, everything is written anew.
 * Throws `NotExpressible` if the language does.
 */
export function writeInline(
  { source, language, place }: Surroundings,
  old: Leaf | undefined,
  now: readonly Unit[],
): string {
  return new InlineWriter({ source, language, place }, old, now).write();
}

interface Surroundings {
  source: string;
  language: InlineLanguage;
  place: Place;
}

class InlineWriter {
  readonly #source: string;
  readonly #language: InlineLanguage;
  readonly #old: Leaf;
  readonly #now: readonly Unit[];
  readonly #place: Place;
  readonly #isNew: boolean;
  readonly #pairs: Map<number, number>;
  /** New nodes that are paired with an old one that differs. */
  readonly #changed = new Set<number>();
  /** Whole links that stayed as they were: index of the first new unit → old units. */
  readonly #wholes = new Map<number, { from: number; count: number; mark: SourceMark }>();
  #out = '';
  /** End of `#out`, because looking at the end of a text that grows copies all of it. */
  #tail = '';
  #stack: Open[] = [];
  #closed: SourceMark | undefined;

  constructor({ source, language, place }: Surroundings, old: Leaf | undefined, now: readonly Unit[]) {
    this.#source = source;
    this.#language = language;
    this.#old = old ?? { units: [], content: { start: 0, end: 0 } };
    this.#now = now;
    this.#place = place;
    this.#isNew = !old;
    this.#pairs = alignUnits(this.#old.units, now);
    this.#pairChanged();
    this.#keepWholes();
  }

  write(): string {
    const steps = this.#steps();
    /** End of what was copied last, if the next old unit may follow it. */
    let copied: { end: number; next: number; at: number } | undefined = this.#isNew
      ? undefined
      : { end: this.#old.content.start, next: 0, at: 0 };
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index] as Step;
      const range = this.#rangeOf(step);
      const isSame = step.old !== undefined && this.#old.units[step.old]?.marked === step.unit.marked;
      if (range && isSame && copied && copied.next === step.old && copied.at === step.at) {
        this.#copy(copied.end, range.start);
        this.#stack = this.#marksAt(step).map(opened);
      } else {
        const skipped = this.#goTo(step, steps, index);
        if (skipped > 0) {
          index += skipped - 1;
          copied = undefined;
          continue;
        }
      }
      if (range) {
        if (this.#changed.has(step.at)) this.#put(this.#nodeOf(step.unit, step.old));
        else this.#copy(range.start, range.end);
        const mayFollow = isSame && this.#hasMarks(step);
        copied = mayFollow
          ? { end: range.end, next: (step.old ?? 0) + step.count, at: step.at + step.count }
          : undefined;
      } else {
        index += this.#write(steps, index) - 1;
        copied = undefined;
      }
    }
    if (copied && copied.next === this.#old.units.length && copied.at === this.#now.length)
      this.#copy(copied.end, this.#old.content.end);
    else this.#close(0);
    return this.#out;
  }

  /** Nodes that changed where they stand are written anew, but what is around them is not. */
  #pairChanged(): void {
    const { units } = this.#old;
    const byOrigin = new Map(
      units.flatMap(({ node, at }, index) => (node && at ? [[nameOf(node.type, at), index]] : [])),
    );
    const taken = new Set(this.#pairs.values());
    let last = -1;
    const next: number[] = [];
    for (let at = this.#now.length - 1, after = units.length; at >= 0; at--) {
      next[at] = after;
      after = this.#pairs.get(at) ?? after;
    }
    for (const [at, { node }] of this.#now.entries()) {
      const paired = this.#pairs.get(at);
      const origin = node?.attrs?.origin as [number, number] | undefined;
      if (paired !== undefined) last = paired;
      else if (node && origin) {
        const old = byOrigin.get(nameOf(node.type, { start: origin[0], end: origin[1] }));
        if (old === undefined || taken.has(old) || old <= last || old >= (next[at] ?? 0)) continue;
        this.#pairs.set(at, old);
        this.#changed.add(at);
        last = old;
      }
    }
  }

  /** A whole link is kept if all its characters are, and nothing was added to it. */
  #keepWholes(): void {
    const { units } = this.#old;
    const byOld = new Map([...this.#pairs].map(([now, old]) => [old, now]));
    for (let from = 0; from < units.length; ) {
      const mark = units[from]?.marks.find(({ whole }) => whole);
      if (!mark) {
        from++;
        continue;
      }
      let count = 1;
      while (units[from + count]?.marks.includes(mark)) count++;
      const first = byOld.get(from) ?? -1;
      let isKept = first >= 0;
      for (let at = 0; at < count; at++) {
        const now = byOld.get(from + at);
        if (now !== first + at || this.#now[now]?.marked !== units[from + at]?.marked) isKept = false;
      }
      const has = (unit: Unit | undefined) => unit?.marks.some(({ key }) => key === mark.key) ?? false;
      const isExtended = (at: number, old: number) =>
        has(this.#now[at]) && !(this.#pairs.get(at) === old && has(units[old]));
      if (isExtended(first - 1, from - 1) || isExtended(first + count, from + count)) isKept = false;
      if (isKept) this.#wholes.set(first, { from, count, mark });
      else for (let at = 0; at < count; at++) this.#pairs.delete(byOld.get(from + at) ?? -1);
      from += count;
    }
  }

  #steps(): Step[] {
    const steps: Step[] = [];
    for (let at = 0; at < this.#now.length; ) {
      const unit = this.#now[at] as Unit;
      const whole = this.#wholes.get(at);
      const count = whole?.count ?? 1;
      steps.push({
        unit,
        at,
        old: whole?.from ?? this.#pairs.get(at),
        count,
        ...(whole ? { whole: whole.mark } : {}),
      });
      at += count;
    }
    return steps;
  }

  #rangeOf(step: Step): Range | undefined {
    return step.whole?.whole ?? (step.old === undefined ? undefined : this.#old.units[step.old]?.at);
  }

  /** Marks around a step in the source, from the outside. */
  #marksAt({ old, whole }: Step): readonly SourceMark[] {
    const marks = (old === undefined ? undefined : this.#old.units[old]?.marks) ?? [];
    return whole ? marks.slice(0, marks.indexOf(whole)) : marks;
  }

  #hasMarks(step: Step): boolean {
    const marks = this.#marksAt(step);
    return (
      marks.length === this.#stack.length &&
      marks.every((mark, index) => {
        const open = this.#stack[index];
        return open?.key === mark.key && open.close === mark.close && open.open === mark.open;
      })
    );
  }

  #copy(start: number, end: number): void {
    const text = this.#source.slice(start, end);
    // Marks of a quote or list may follow a line end.
    this.#put(this.#place.isOneLine && /^[\n\r][ \t>]*$/.test(text) ? ' ' : text);
  }

  #put(text: string): void {
    if (text === '') return;
    const added = this.#language.between(this.#tail, text, this.#closed) + text;
    this.#out += added;
    this.#tail = (this.#tail + added.slice(-tailLength)).slice(-tailLength);
    this.#closed = undefined;
  }

  #close(length: number): void {
    for (let open = this.#stack[length]; this.#stack.length > length; ) {
      open = this.#stack.pop() as Open;
      this.#put(open.close);
      this.#closed = open.mark;
    }
  }

  /** Closes and opens marks for a step. Returns how many steps were written already, as a whole link. */
  #goTo(step: Step, steps: readonly Step[], index: number): number {
    const { unit, whole } = step;
    const wanted = new Map<string, SourceMark>();
    const keys = new Set(unit.marks.map(({ key }) => key));
    // White space takes the marks of the text on both sides.
    for (const mark of [...this.#marksAt(step), ...unit.marks])
      if (keys.has(mark.key) && (!isSpace(unit) || isMarked(unit, mark))) wanted.set(mark.key, mark);
    if (whole) wanted.delete(whole.key);
    let length = 0;
    while (length < this.#stack.length && wanted.has(this.#stack[length]?.key ?? '')) length++;
    const isMissing = wanted.size > length;
    const inner = this.#stack.findIndex(({ mark }) => this.#language.isInnermost?.(mark));
    if (isMissing && inner >= 0) length = Math.min(length, inner);
    this.#close(length);
    const has = new Set(this.#stack.map(({ key }) => key));
    const missing = [...wanted.values()].filter(({ key }) => !has.has(key));
    const reach = (mark: SourceMark) => {
      let end = index;
      while (end < steps.length && isMarked((steps[end] as Step).unit, mark)) end++;
      return end - index;
    };
    const ordered = missing
      .map((mark) => ({ mark, reach: reach(mark) }))
      .sort(
        (one, other) =>
          this.#rank(one.mark) - this.#rank(other.mark) ||
          other.reach - one.reach ||
          Number(one.mark.type === 'link') - Number(other.mark.type === 'link'),
      );
    for (const { mark, reach: count } of ordered) {
      if (mark.type === 'link') {
        const isPart = (one: Step) => !one.unit.node && !one.whole && one.unit.marked === unit.marked;
        let run = steps.slice(index, index + count);
        const isPlain = run.every(isPart);
        // Text with other marks needs a link of its own if no mark may stand in one.
        const other = run.findIndex((one) => !isPart(one));
        const isSplit = other > 0 && this.#language.isInnermost?.(mark);
        if (isSplit) run = run.slice(0, other);
        const text = run.map((one) => one.unit.value).join('');
        const written = isPlain || isSplit ? this.#language.link(mark, text, this.#place) : undefined;
        if (written !== undefined && ordered.at(-1)?.mark === mark) {
          this.#put(written);
          this.#closed = mark;
          return run.length;
        }
      }
      const { open, close } = this.#language.marks(mark);
      this.#put(open);
      this.#stack.push({ key: mark.key, mark, open, close });
    }
    return 0;
  }

  #rank(mark: SourceMark): number {
    return this.#language.isInnermost?.(mark) ? 1 : 0;
  }

  #nodeOf(unit: Unit, old: number | undefined): string {
    return this.#language.node(unit, old === undefined ? undefined : this.#old.units[old], this.#place);
  }

  /** Writes new text up to the next change of marks, or one node. Returns how many steps were written. */
  #write(steps: readonly Step[], index: number): number {
    const { unit } = steps[index] as Step;
    if (unit.node) {
      this.#put(this.#nodeOf(unit, undefined));
      return 1;
    }
    let end = index;
    let text = '';
    for (; end < steps.length; end++) {
      const step = steps[end] as Step;
      if (step.unit.node || this.#rangeOf(step) || step.unit.marked !== unit.marked) break;
      text += step.unit.value;
    }
    const goesOn = end < steps.length;
    // Parsers leave out other white space, too, at the ends of a line.
    const isBare = this.#stack.length === 0;
    const [start = ''] = (isBare && this.#out === '' && oddSpace.exec(text)) || [];
    const [rest = ''] = (isBare && !goesOn && oddSpaceAtEnd.exec(text.slice(start.length))) || [];
    this.#put(referenced(start));
    const written = this.#language.text(text.slice(start.length, text.length - rest.length), {
      ...this.#place,
      isFirst: this.#out === '',
      before: this.#tail,
      goesOn: goesOn || rest !== '',
      link: this.#stack.findLast(({ mark }) => mark.type === 'link')?.mark,
      isCode: this.#stack.some(({ mark }) => mark.type === 'code'),
    });
    this.#put(written + referenced(rest));
    return end - index;
  }
}

const oddSpace = /^[^\S \t\n\r]+/;
const oddSpaceAtEnd = /(?<![^\S \t\n\r])[^\S \t\n\r]+$/;

function referenced(text: string): string {
  return text.replace(/./gsu, (sign) => (sign === '\u00a0' ? '&nbsp;' : `&#${sign.codePointAt(0)};`));
}

function nameOf(type: string, { start, end }: Range): string {
  return `${type} ${start} ${end}`;
}

function opened(mark: SourceMark): Open {
  return { key: mark.key, mark, open: mark.open, close: mark.close };
}

function isMarked({ marked }: Unit, { key }: SourceMark): boolean {
  return marked === key || marked.split(betweenMarks).includes(key);
}
