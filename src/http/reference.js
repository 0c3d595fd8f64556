/** "Try it": a form for each read-only operation. The page works without it. */
const mostShown = 100_000;
const form = /** @type {(element: Element) => void} */ (element) => {
  const { path, parameters } = JSON.parse(element.getAttribute('data-try') ?? '');
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'Try it';
  details.append(summary);
  // Built when it is first opened, because there are many.
  details.addEventListener('toggle', () => fill(details, path, parameters), { once: true });
  element.append(details);
};

/** @typedef {{ name: string, in: string, required: boolean, value: string }} Parameter */

/** @type {(details: HTMLElement, path: string, parameters: Parameter[]) => void} */
function fill(details, path, parameters) {
  const element = document.createElement('form');
  const inputs = parameters.map((parameter) => {
    const label = document.createElement('label');
    const input = document.createElement('input');
    label.textContent = parameter.name;
    input.required = parameter.required;
    input.value = parameter.required ? parameter.value : '';
    input.placeholder = parameter.value;
    label.append(input);
    element.append(label);
    return { parameter, input };
  });
  const button = document.createElement('button');
  button.textContent = 'Send';
  const answer = document.createElement('div');
  answer.setAttribute('role', 'status');
  element.append(button);
  details.append(element, answer);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    answer.textContent = 'Sent …';
    try {
      await send(urlOf(path, inputs), answer);
    } catch (error) {
      answer.textContent = `The wiki cannot be reached: ${error instanceof Error ? error.message : error}`;
    }
    button.disabled = false;
  });
}

/** @type {(path: string, inputs: { parameter: Parameter, input: HTMLInputElement }[]) => string} */
function urlOf(path, inputs) {
  const query = new URLSearchParams();
  let url = path;
  for (const { parameter, input } of inputs) {
    if (parameter.in === 'query' && input.value) query.append(parameter.name, input.value);
    const segments = input.value.replace(/^\//, '').split('/').map(encodeURIComponent).join('/');
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, () => segments);
  }
  return query.size > 0 ? `${url}?${query}` : url;
}

/** The token is kept only in its field; cookies are not sent. */
/** @type {(url: string, answer: HTMLElement) => Promise<void>} */
async function send(url, answer) {
  const token = /** @type {HTMLInputElement} */ (document.querySelector('#token input')).value.trim();
  const response = await fetch(url, {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    credentials: 'omit',
  });
  const type = response.headers.get('content-type') ?? '';
  const line = document.createElement('p');
  line.textContent = `GET ${url}: ${response.status} ${response.statusText}`;
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  if (/^text\/|json|xml/.test(type)) pre.textContent = await beginningOf(response);
  else pre.textContent = `${type || 'No content'}, not shown here.`;
  if (!/^text\/|json|xml/.test(type)) await response.body?.cancel();
  answer.replaceChildren(line, pre);
}

/** @type {(response: Response) => Promise<string>} */
async function beginningOf(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length < mostShown) {
    const { done, value } = await reader.read();
    if (done) return /json$|json;/.test(response.headers.get('content-type') ?? '') ? indented(text) : text;
    text += value;
  }
  await reader?.cancel();
  return `${text.slice(0, mostShown)}\n…`;
}

/** @type {(text: string) => string} */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const token = document.querySelector('#token');
if (token instanceof HTMLElement) token.hidden = false;
for (const element of document.querySelectorAll('[data-try]')) form(element);
