/**
 * Replaces calls by template bodies and wiki data that the host has fetched. Pure and synchronous: missing data is listed in
 * `needs`, all of one nesting level at once, and the host fetches it in one batch and calls again.
 *
 *   {{Greeting|Ann}}   with   Greeting = Hello {{{1}}}!   →   Hello Ann!
 *
 * Loops, missing pages and exceeded limits are reported in the text. The result is wikitext for `parse(text, {expanded:
 * true})`; anything in it that still looks like a call is text.
 */

import { type Argument, type Frame, finderOf, titleOf, WrittenArgument } from './argument.ts';
import type { Part } from './braces.ts';
import { Budget } from './budget.ts';
import { char, trimSpace } from './characters.ts';
import { caselessWords, dialectTags, extensionTags, listings, variables } from './constructs.ts';
import { withoutControls } from './controls.ts';
import { allOf, type Element, type FragmentRange, firstFrom } from './elements.ts';
import { listingTag } from './extensions/listing.ts';
import type { IncludedPage } from './functions/call.ts';
import { runFunction } from './functions/run.ts';
import { variable } from './functions/variable.ts';
import { HostData } from './host-data.ts';
import { HostPlace, type PlaceExpander } from './host-place.ts';
import { escapeHtml } from './html.ts';
import { limits } from './limits.ts';
import { missingLink } from './missing-template.ts';
import type { ExpandContext, HostFunction, PathOfPage, Rules } from './options.ts';
import { parse } from './parse.ts';
import { readRedirect } from './redirect.ts';
import { coppiceRules } from './rules.ts';
import { scan } from './scan.ts';
import { inlineText } from './text.ts';
import type { Expansion, ListingName, Origin, Range } from './tree.ts';

/** Expands one page, with its notices at the end. Never throws. While `needs` names something, fetch it and call again. */
export function expand(source: string, context: ExpandContext): Expansion {
  const origins: Origin[] | undefined = context.tracksOrigins ? [] : undefined;
  const { texts, ...others } = expandAll([source], context, origins);
  let [text = ''] = texts;
  // Readers must see that content is missing even if the host does not show the notices.
  for (const notice of others.notices) text += `\n<div class="error wikitext-notice">${notice}</div>`;
  return origins ? { text, ...others, origins } : { text, ...others };
}

/** Expands parts of one page, which share its limits. The host shows the notices. */
export function expandAll(
  sources: readonly string[],
  context: ExpandContext,
  origins?: Origin[],
): Omit<Expansion, 'text' | 'origins'> & { texts: string[] } {
  const expander = new Expander(context);
  const texts = sources.map((source) => expander.page(source, origins));
  const { data, budget, displayTitle } = expander;
  return {
    texts,
    needs: data.needs(),
    notices: [...budget.notices],
    ...(displayTitle === undefined ? {} : { displayTitle }),
    isCut: budget.isCut,
  };
}

/** A template's text with its elements. */
type Body = { text: string; elements: readonly Element[] };

class Expander implements PlaceExpander {
  readonly context: ExpandContext;
  readonly rules: Rules;
  readonly path: PathOfPage;
  readonly data: HostData;
  readonly budget: Budget;
  displayTitle: string | undefined;
  readonly #bodies = new Map<string, Body>();
  #depth = 0;
  /** Whether a page that a call includes is missing or includes itself. */
  #isRefused = false;

  constructor(context: ExpandContext) {
    this.context = context;
    this.rules = context.rules ?? coppiceRules;
    this.path = () => context.page.path;
    this.data = new HostData(context, this.rules, this.path);
    this.budget = new Budget(context);
  }

  /** Expands a page. Records in `origins` where the parts of the result come from. */
  page(source: string, origins: Origin[] | undefined): string {
    const text = withoutControls(source);
    if (!origins && !/[{<]/.test(text)) return text;
    const body = { text, elements: this.#scan(text, false) };
    return this.#range(body, { argument: undefined, chain: [] }, allOf(body), origins);
  }

  #scan(text: string, isIncluded: boolean): Element[] {
    const { hasLooseNotes, strictCalls, tags } = this.rules;
    return scan(text, { isIncluded, hasTemplates: true, hasLooseNotes, strictCalls, tags });
  }

  /** Returns a placeholder for a function that this wiki lacks, like `#property`; undefined for names of no function. */
  missing(name: string): string | undefined {
    if (this.context.substitutes || !this.rules.marksMissing || !/^#?\p{L}[\p{L}\d_-]{0,40}$/u.test(name))
      return undefined;
    const mark = `<unsupported name="${name}"/>`;
    return this.budget.grow(mark.length) ? mark : '';
  }

  isExtension(name: string): boolean {
    return extensionTags.has(name) && !extensionTags.get(name)?.isReserved;
  }

  inlineText(source: string): string {
    const { rules, context } = this;
    return inlineText(parse(source, { expanded: true, rules, path: context.page.path }).children);
  }

  #range(
    body: Body,
    frame: Frame,
    { start: from, end: to, first }: FragmentRange = allOf(body),
    origins?: Origin[],
  ): string {
    const { text, elements } = body;
    const out: string[] = [];
    let at = from;
    let length = 0;
    const note = (part: string, start: number, end: number, isCall: boolean) => {
      if (part !== '') origins?.push({ at: length, start, end, isCall });
      length += part.length;
    };
    for (let index = first; ; ) {
      const element = elements[index];
      if (!element || element.start >= to) break;
      if (element.end > to) {
        index++;
        continue;
      }
      const { start, end } = element;
      const before = text.slice(at, start);
      const result = this.#element(body, element, index, frame);
      if (origins) {
        note(before, at, start, false);
        note(result, start, end, result !== text.slice(start, end));
      }
      if (before !== '') out.push(before);
      out.push(result);
      at = end;
      index = element.next;
    }
    if (origins) note(text.slice(at, to), at, to, false);
    if (out.length === 0) return text.slice(at, to);
    out.push(text.slice(at, to));
    return out.join('');
  }

  #part(body: Body, index: number, { start, end }: Range, frame: Frame): string {
    return this.#range(body, frame, { start, end, first: firstFrom(body.elements, start, index + 1) });
  }

  #element(body: Body, element: Element, index: number, frame: Frame): string {
    if (element.kind === 'comment' || element.kind === 'skip') {
      const isKept = this.context.substitutes && (element.kind === 'comment' || !frame.argument);
      return isKept ? body.text.slice(element.start, element.end) : '';
    }
    if (element.kind === 'extension') return this.#extension(body.text, element, frame);
    if (this.#depth >= limits.expansionDepth) {
      this.budget.notices.add(
        `Calls are nested more than ${limits.expansionDepth} deep; inner ones are left as written.`,
      );
      return body.text.slice(element.start, element.end);
    }
    this.#depth++;
    const result =
      element.kind === 'argument'
        ? this.#argument(body, element, index, frame)
        : this.#call(body, element, index, frame);
    this.#depth--;
    return result;
  }

  #extension(text: string, element: Element, frame: Frame): string {
    const { name, start, end, bodyStart, bodyEnd } = element;
    const written = text.slice(start, end);
    const extension = extensionTags.get(name) ?? dialectTags.get(name);
    const outer: Frame = { ...frame, argument: undefined, given: undefined };
    if (this.context.substitutes) {
      if (!extension?.inside || bodyStart < 0) return written;
      const inside = this.text(text.slice(bodyStart, bodyEnd), outer);
      return text.slice(start, bodyStart) + inside + text.slice(bodyEnd, end);
    }
    if (extension?.isReserved) return escapeHtml(written);
    if (!extension?.expand) return written;
    const [part] = element.parts;
    return extension.expand({
      name,
      written,
      attributes: part ? text.slice(part.start, part.end) : '',
      body: bodyStart < 0 ? undefined : text.slice(bodyStart, bodyEnd),
      outer: (inside) => this.text(inside, outer),
      inner: (inside) => this.text(inside, frame, frame.argument !== undefined),
    });
  }

  text(text: string, frame: Frame, isIncluded = false): string {
    if (!/[{<]/.test(text)) return text;
    if (this.#depth >= limits.expansionDepth) return text;
    this.#depth++;
    const result = this.#range({ text, elements: this.#scan(text, isIncluded) }, frame);
    this.#depth--;
    return result;
  }

  #argument(body: Body, element: Element, index: number, frame: Frame): string {
    const [first, fallback] = element.parts;
    if (!first) return '';
    const written = this.#part(body, index, first, frame);
    const name = trimSpace(written);
    const found = frame.argument?.(name);
    if (found) {
      const value = found.name() === undefined ? found.value() : trimSpace(found.value());
      return this.budget.grow(value.length) ? value : '';
    }
    if (this.context.substitutes && !frame.argument) {
      const others = element.parts.slice(1).map((part) => this.#part(body, index, part, frame));
      return `{{{${[written, ...others].join('|')}}}}`;
    }
    if (fallback) return this.#part(body, index, fallback, frame);
    return `{{{${written}}}}`;
  }

  #arguments(body: Body, index: number, parts: readonly Part[], frame: Frame): Argument[] {
    const read = (start: number, end: number) => this.#part(body, index, { start, end }, frame);
    return parts.map((part) => new WrittenArgument(part, read));
  }

  #call(body: Body, element: Element, index: number, frame: Frame): string {
    if (!this.budget.mayCall()) {
      const left = body.text.slice(element.start, element.end);
      return this.budget.grow(left.length) ? left : '';
    }
    const [first, ...others] = element.parts;
    if (!first) return '';
    if (others.length === limits.arguments)
      this.budget.notices.add(
        `A call has ${limits.arguments} arguments or more; the last one holds the rest.`,
      );
    const written = this.#part(body, index, first, frame);
    const given = this.#arguments(body, index, others, frame);
    const result = this.context.substitutes
      ? this.#substitution(written, given, frame)
      : this.#answer(written, given, frame);
    // Expands each part only once; otherwise the time would grow exponentially with nesting.
    if (result === undefined)
      return `{{${[written, ...given.map((argument) => argument.whole())].join('|')}}}`;
    const isLineStart = element.start > 0 && body.text.charCodeAt(element.start - 1) === char.newline;
    // A list or table produced by a call is put on a line of its own.
    return !isLineStart && /^(?:\{\||[:;#*])/.test(result) ? `\n${result}` : result;
  }

  /** Expands a call that begins with `subst:`. Returns undefined for other calls, and if something inside is missing. */
  #substitution(written: string, given: readonly Argument[], frame: Frame): string | undefined {
    const [, name] = /^\s*(?:safe)?subst:(.*)$/is.exec(written) ?? [];
    if (name === undefined) return undefined;
    const wasRefused = this.#isRefused;
    this.#isRefused = false;
    const result = this.#answer(name, given, frame);
    const isWhole = !this.#isRefused;
    this.#isRefused = wasRefused;
    return isWhole ? result : undefined;
  }

  /** Expands a call. Returns undefined if the text is not a call. */
  #answer(written: string, given: readonly Argument[], frame: Frame): string | undefined {
    let name = trimSpace(written);
    if (/^subst:/i.test(name)) return undefined;
    if (/^safesubst:/i.test(name)) name = name.slice('safesubst:'.length).trim();
    name = this.rules.word?.(name) ?? name;
    if (given.length === 0 && (!name.includes(':') || name === ':')) {
      if (caselessWords.has(name.toLowerCase())) name = name.toUpperCase();
      let value = this.context.word?.(name, undefined, () => '');
      if (variables.has(name))
        value ??= variable(name, this.context) ?? runFunction(this, name.toLowerCase(), [], frame);
      if (typeof value === 'string') return this.budget.grow(value.length) ? value : '';
    }
    const [prefix = '', ofMessage] = /^(msgnw:|msg:)?\s*(?:raw:)?\s*/i.exec(name) ?? [];
    const isVerbatim = ofMessage?.toLowerCase() === 'msgnw:';
    name = name.slice(prefix.length);
    const colon = name.indexOf(':');
    if (colon > 0) {
      const value = this.callFunction(name.slice(0, colon), trimSpace(name.slice(colon + 1)), given, frame);
      if (value !== undefined) return value;
    }
    if (name.startsWith('#')) return undefined;
    if (this.rules.listings && listings.has(name))
      return this.context.substitutes ? undefined : listingTag(this.data, name as ListingName, given);
    name = name.trim();
    if (name.includes('\n')) return undefined;
    const page = this.rules.template(name, this.path);
    const title = name.startsWith(':') ? page : undefined;
    return page && (isVerbatim ? this.#verbatim(page) : this.include({ name: page, title }, given, frame));
  }

  /** Runs `{{name:first|…}}`. Returns undefined if no such function exists. */
  callFunction(name: string, first: string, given: readonly Argument[], frame: Frame): string | undefined {
    const value = this.context.word?.(name, first, (at) => trimSpace(given[at - 1]?.whole() ?? ''));
    if (value !== undefined) return value ?? undefined;
    const own = this.context.functions?.get(name.toLowerCase());
    if (own) return this.#hostFunction(own, first, given, frame);
    const word = variables.has(name) ? variable(name, this.context, first) : undefined;
    if (word !== undefined) return word;
    const head: Argument = { name: () => undefined, value: () => first, whole: () => first };
    return runFunction(this, name.toLowerCase(), [head, ...given], frame);
  }

  #hostFunction(
    run: HostFunction,
    first: string,
    given: readonly Argument[],
    frame: Frame,
  ): string | undefined {
    const others = given.map((argument) => ({ name: argument.name()?.trim(), value: argument.value() }));
    const trimmed = others.map(({ name, value }) => ({ name, value: value.trim() }));
    const head = { name: undefined, value: first };
    const depth = this.#depth;
    try {
      const value = run({
        arguments: [head, ...trimmed],
        given: [
          head,
          ...others.map((other, at) => (other.name === undefined ? other : (trimmed[at] ?? other))),
        ],
        outer: (name) => frame.argument?.(name)?.value().trim(),
        frame: new HostPlace(this, frame),
        context: this.context,
      });
      if (value === undefined) return undefined;
      return this.budget.grow(value.length) ? withoutControls(value, true) : '';
    } finally {
      // An exception may leave a function in the middle of its expansion.
      this.#depth = depth;
    }
  }

  include(
    { name, select, title = titleOf(name) }: IncludedPage,
    given: readonly Argument[],
    frame: Frame,
  ): string {
    if (frame.chain.includes(name)) return this.#refuse('Template loop detected', name);
    if (frame.chain.length >= limits.templateDepth) {
      this.budget.notices.add(`Templates are nested more than ${limits.templateDepth} deep.`);
      return this.#refuse('Template depth limit exceeded', name);
    }
    const isOwn = !select && this.context.ownNames?.has(name);
    const source = isOwn ? null : this.data.source(name);
    if (source === undefined) {
      // Pages that the arguments refer to are probably needed too, and join the same batch.
      for (const argument of given) argument.whole();
      return '';
    }
    this.#isRefused ||= source === null;
    if (source === null) return missingLink(name, isOwn || select !== undefined || title === name);
    const redirect = readRedirect(source, this.rules, this.path);
    if (redirect) {
      const target = this.rules.template(`:${redirect.link.target}`, this.path);
      if (target !== undefined)
        return this.include({ name: target, select }, given, { ...frame, chain: [...frame.chain, name] });
    }
    if (!this.budget.grow(source.length)) return '';
    const body = this.#body(select?.(source) ?? source);
    const inner: Frame = { argument: finderOf(given), chain: [...frame.chain, name], given, title };
    return this.#range(body, inner);
  }

  /** Runs `{{msgnw:Name}}`, which shows the body's source. */
  #verbatim(name: string): string {
    let source = this.data.source(name);
    const redirect = source ? readRedirect(source, this.rules, this.path) : undefined;
    const target = redirect && this.rules.template(`:${redirect.link.target}`, this.path);
    if (target !== undefined) source = this.data.source(target);
    this.#isRefused ||= source === null;
    if (source === null) return `<nowiki>[[:${escapeHtml(name)}]]</nowiki>`;
    if (source === undefined || !this.budget.grow(source.length)) return '';
    return `<nowiki>${escapeHtml(source)}</nowiki>`;
  }

  #refuse(reason: string, name: string): string {
    this.#isRefused = true;
    const text = `<span class="error">${reason}: [[:${name.replace(/\n.*$/s, '')}]]</span>`;
    return this.budget.grow(text.length) ? text : '';
  }

  #body(source: string): Body {
    const known = this.#bodies.get(source);
    if (known) return known;
    const text = withoutControls(source);
    const body = { text, elements: this.#scan(text, true) };
    this.#bodies.set(source, body);
    return body;
  }
}
