/**
 * Arranging pages on the site: by numbers, or by moving one page up or down. Scripts move pages in place and by dragging
 * (`src/web/islands/order.ts`).
 */
import type { Operation } from '#core/operations/operation.ts';
import type { ChildPage } from '#core/ports/list-reads.ts';
import { pageLink, pageUrl } from '#web/components.ts';
import { errorSummary } from '#web/form-fields.ts';
import type { Form } from '#web/forms.ts';
import { type Html, type HtmlValue, html } from '#web/html.ts';
import type { PageLayout } from '#web/layout.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { say } from '#words/say.ts';
import { type Ordered, orderPages, orderRoots, readOrder, readRootOrder } from './operations.ts';
import { maxPlaced, movedBy, numbered } from './order.ts';

export const web: readonly OperationPage[] = [
  {
    url: '/order',
    reads: [readRootOrder],
    forms: forms(orderRoots, ({ carry }) => carry(readRootOrder, {})),
    show: async (call) => orderPage(call, '', await call.carry(readRootOrder, {})),
  },
  {
    url: '/order/*',
    followsMoves: true,
    reads: [readOrder],
    forms: forms(orderPages, ({ carry, path }) => carry(readOrder, { path })),
    show: async (call) => orderPage(call, call.path, await call.carry(readOrder, { path: call.path })),
  },
];

/** Each button saves the numbers of all pages as well. */
function forms<Given extends { children: string[] }>(
  operation: Operation<Given, Ordered>,
  read: (call: Pick<PageCall, 'carry' | 'path'>) => Promise<Ordered>,
): OperationPage['forms'] {
  const ordering = (arrange: (pages: ChildPage[], form: Form) => ChildPage[]) =>
    formOf<{ children: string[] }, Ordered>(operation, {
      notice: 'order-saved',
      async fields(form, call) {
        const pages = (await read(call)).pages.slice(0, maxPlaced);
        const arranged = arrange(
          numbered(pages, (id) => form.text(`at-${id}`)),
          form,
        );
        return { children: arranged.map(({ path }) => path) };
      },
    });
  return {
    up: ordering((pages, form) => movedBy(pages, Number(form.text('up')), -1)),
    down: ordering((pages, form) => movedBy(pages, Number(form.text('down')), 1)),
    titles: ordering(() => []),
    save: ordering((pages) => pages),
  };
}

function orderPage({ refused }: PageCall, path: string, { above, pages, total }: Ordered): PageLayout {
  const shown = pages.slice(0, maxPlaced);
  const title = (name: HtmlValue) => (name ? say('order.orderBelow', { name }) : say('order.orderTheRoot'));
  const main = html`<div class="plain order-page">
<p class="above">${above ? pageLink(above) : html`<a href="/tree">${say('common.allPages')}</a>`}</p>
<h1>${title(above && html`<bdi>${above.title}</bdi>`)}</h1>
<p class="lede">${say('order.numberThePagesOrMoveOneUpOr')}</p>
${errorSummary(refused.message)}
${
  total === 0
    ? html`<p class="quiet">${say('order.thereAreNoPagesToOrder')}</p>`
    : html`<form method="post" action="${`/order${pageUrl(path)}`}">
<button type="submit" name="save" value="yes" class="unseen" tabindex="-1" aria-hidden="true">${say('order.saveOrder')}</button>
<ol class="order-list" data-order="${`/v1/order${pageUrl(path)}`}">${shown.map((page, index) => row(page, index, shown.length))}</ol>
${total > shown.length && html`<p class="quiet">${say('order.onlyTheFirstMaxplacedPages', { maxPlaced })}</p>`}
<div class="buttons"><button type="submit" name="save" value="yes" class="button">${say('order.saveOrder')}</button> <button type="submit" name="titles" value="yes" class="quiet-button">${say(
        'order.orderByTitle',
      )}</button> <a href="${above ? pageUrl(above.path) : '/tree'}">${say('order.back')}</a></div>
</form>`
}
</div>`;
  return { title: title(above?.title), kind: 'order', main, scripts: ['order'] };
}

function row({ id, title, path }: ChildPage, index: number, length: number): Html {
  const isEnd = (at: number) => index === at && html` disabled`;
  return html`<li data-path="${path}"><input type="number" name="at-${id}" value="${index + 1}" min="1" max="${length}" aria-label="${say(
    'order.numberOfTitle',
    { title },
  )}"><a href="${pageUrl(path)}" dir="auto">${title}</a><span class="row-actions"><button type="submit" name="up" value="${id}" aria-label="${say(
    'order.moveTitleUp',
    { title },
  )}"${isEnd(0)}>↑</button> <button type="submit" name="down" value="${id}" aria-label="${say(
    'order.moveTitleDown',
    { title },
  )}"${isEnd(length - 1)}>↓</button></span></li>`;
}
