/** The API reference as a page, generated from the OpenAPI document; works without scripts and network. */
import { readFileSync } from 'node:fs';
import { type Html, html } from '#html/html.ts';
import { type CallExamples, callExamples } from './call-examples.ts';
import { problemKinds } from './problems.ts';
import type { Schema } from './schemas/validate.ts';

export const referenceCss = readFileSync(new URL('./reference.css', import.meta.url), 'utf8');
export const referenceScript = readFileSync(new URL('./reference.js', import.meta.url), 'utf8');

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: ReferableSchema;
  example?: unknown;
}

type ReferableSchema = Schema & { $ref?: string };

interface Media {
  schema: ReferableSchema;
  example?: unknown;
  /** Examples by problem code. */
  examples?: Record<string, { $ref: string }>;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<
    string,
    {
      description: string;
      headers?: Record<string, { description: string }>;
      content?: Record<string, Media>;
    }
  >;
}

interface Document {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, ReferableSchema> };
}

/** `address`: address of the wiki in the examples. */
export function referencePage(openApi: Record<string, unknown>, address: string): Html {
  const { info, tags, paths, components } = openApi as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = tags.map((tag) => ({
    tag,
    own: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const examplesOf = (path: string, method: string, operation: Operation) => {
    const { $ref = '' } = operation.requestBody?.content['application/json']?.schema ?? {};
    const { required } = components.schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    return callExamples({ address, method, path }, operation, required);
  };
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API reference</title>
<link rel="stylesheet" href="/v1/docs/style.css">
<script type="module" src="/v1/docs/try.js"></script>
</head>
<body>
<header>
<p><a href="/">← To the wiki</a></p>
<h1>${info.title} API reference</h1>
<p>Version ${info.version} · <a href="/v1/openapi.json">OpenAPI 3.1 document</a></p>
${info.description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`)}
<p>The examples read an <a href="#createToken">API token</a> from the environment variable <code>TOKEN</code>. The client for JavaScript is <code>@coppice/client</code>.</p>
<p id="token" hidden><label>Your token, for “Try it”. It is kept only in this field: <input type="password" autocomplete="off" spellcheck="false" placeholder="cop_…"></label></p>
</header>
<nav aria-label="Operations">
${sections.map(
  ({ tag, own }) => html`<h2><a href="#${tag.name}">${tag.name}</a></h2>
<ul>${own.map(({ path, method, operation }) => html`<li><a href="#${operation.operationId}"><b>${method}</b> ${path}</a></li>`)}</ul>`,
)}
<h2><a href="#schemas">Objects</a></h2>
<ul>${Object.keys(components.schemas).map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
<h2><a href="#problems">Problems</a></h2>
</nav>
<main>
${sections.map(
  ({ tag, own }) => html`<section>
<h2 id="${tag.name}">${tag.name}</h2>
<p>${prose(tag.description)}</p>
${own.map(({ path, method, operation }) => operationArticle(path, method, operation, examplesOf(path, method, operation)))}
</section>`,
)}
<section>
<h2 id="schemas">Objects</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article id="schema-${name}">
<h3>${name}</h3>
<p>${prose(schema.description ?? '')}</p>
${fieldTable(schema)}
</article>`,
)}
</section>
<section>
<h2 id="problems">Problems</h2>
<p>Refusals are <code>application/problem+json</code>: see <a href="#schema-Problem">Problem</a>.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Kind</th><th scope="col">When</th></tr></thead>
<tbody>${Object.entries(problemKinds).map(
    ([code, { status, meaning }]) =>
      html`<tr id="problem-${code}"><td>${status}</td><td><code>${code}</code></td><td>${prose(meaning)}</td></tr>
`,
  )}<tr id="problem-internal"><td>500</td><td><code>internal</code></td><td>Internal error. The response has a request ID, under which the log shows the cause.</td></tr></tbody>
</table>
</section>
</main>
</body>
</html>
`;
}

function operationArticle(path: string, method: string, operation: Operation, examples: CallExamples): Html {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation;
  const token =
    security.length === 0
      ? undefined
      : security.length === 1
        ? 'Needs a token.'
        : 'With a token, the response can contain more.';
  return html`<article id="${operationId}">
<h3>${summary}</h3>
<p class="call"><b>${method}</b> <code>${path}</code></p>
<p>${prose(description)}${token ? html` ${token}` : undefined}</p>
${
  parameters.length > 0 &&
  html`<h4>Parameters</h4>
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Meaning</th><th scope="col">Example</th></tr></thead>
<tbody>${parameters.map(
    (one) => html`<tr><td><code>${one.name}</code></td><td>${one.in}, ${kindOf(one.schema)}${
      one.required ? ', needed' : ''
    }</td><td>${prose(one.description ?? '')}${defaultOf(one.schema)}</td><td><code>${shown(one.example)}</code></td></tr>
`,
  )}</tbody>
</table>`
}
${
  requestBody &&
  html`<h4>Body</h4>
<p>${Object.keys(requestBody.content).map((type, index) => html`${index > 0 ? ', ' : ''}<code>${type}</code>`)}: ${kindOf(requestBody.content['application/json']?.schema ?? {})}</p>
<pre tabindex="0"><code>${JSON.stringify(requestBody.content['application/json']?.example, null, 2)}</code></pre>`
}
<h4>Call it</h4>
${Object.entries(examples).map(
  ([language, text]) =>
    html`<details><summary>${languages[language as keyof CallExamples]}</summary><pre tabindex="0"><code>${text}</code></pre></details>
`,
)}${method === 'GET' && html`<div data-try="${JSON.stringify(triedOf(path, parameters))}"></div>`}
<h4>Answers</h4>
<dl>${Object.entries(responses).map(
    ([
      status,
      { description, headers = {}, content = {} },
    ]) => html`<dt>${status}</dt><dd>${prose(description)}
${Object.entries(headers).map(([name, header]) => html`<br><code>${name}</code>: ${prose(header.description)}`)}
${Object.entries(content).map(
  ([type, media]) =>
    html`<br><code>${type}</code>: ${kindOf(media.schema)}${media.examples && html` — ${Object.keys(media.examples).map((code) => html`<a href="#problem-${code}">${code}</a> `)}`}${
      status === '200' && media.example !== undefined
        ? html`<details><summary>Example</summary><pre tabindex="0"><code>${typeof media.example === 'string' ? media.example : JSON.stringify(media.example, null, 2)}</code></pre></details>`
        : undefined
    }`,
)}</dd>
`,
  )}</dl>
</article>`;
}

const languages: Record<keyof CallExamples, string> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
};

/** Data from which the script builds the form for trying an operation. */
function triedOf(path: string, parameters: Parameter[]) {
  const own = parameters.filter((one) => one.in !== 'header');
  return {
    path,
    parameters: own.map(({ name, in: place, required, example }) => ({
      name,
      in: place,
      required,
      value: Array.isArray(example) ? shown(example[0]) : shown(example),
    })),
  };
}

function fieldTable(schema: ReferableSchema): Html {
  const { properties = {}, required = [] } = schema;
  return html`<table>
<thead><tr><th scope="col">Field</th><th scope="col">Kind</th><th scope="col">Meaning</th><th scope="col">Example</th></tr></thead>
<tbody>${Object.entries(properties).map(
    ([
      name,
      field,
    ]) => html`<tr><td><code>${name}</code></td><td>${kindOf(field as ReferableSchema)}${required.includes(name) ? '' : ', optional'}</td><td>${prose(field.description ?? '')}</td><td>${
      field.examples && html`<code>${shown(field.examples[0])}</code>`
    }</td></tr>
`,
  )}</tbody>
</table>`;
}

function kindOf(schema: ReferableSchema): Html | string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf)
    return html`${schema.anyOf.map((one, index) => html`${index > 0 ? ' or ' : ''}${kindOf(one as ReferableSchema)}`)}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return html`list of ${kindOf(schema.items as ReferableSchema)}`;
  return schema.format ? `${schema.type} (${schema.format})` : (schema.type ?? 'anything');
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? '' : ` Without: ${shown(schema.default)}.`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Converts text with backquoted code to HTML. */
function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
