/** The form of a template's parameters, on the page of the template: what its `<templatedata>` says of each. For both views. */
import { announce, button, element } from '../element.ts';
import { say } from '../words.ts';
import { fieldOf } from './fields.ts';
import { type ParameterFields, parametersIn, parameterTypes, withParameters } from './template-data.ts';
import { cardField, openCard } from './visual/card.ts';

interface TemplatePage {
  form: HTMLFormElement;
  settledText(): Promise<string | undefined>;
  takeOver(from: string, changed: string): Promise<boolean>;
}

/** Offers the form beside the title while the page is a template. */
export function offerTemplateData(page: TemplatePage, signal: AbortSignal): void {
  const { form } = page;
  const place = form.querySelector('.title-field');
  if (!place) return;
  const opener = button(
    say('editorTemplateData.parameters'),
    { class: 'quiet-button' },
    () => void open(page, opener),
  );
  place.append(opener);
  const follow = () => {
    const title = fieldOf(form, 'title')?.value ?? '';
    opener.hidden = fieldOf(form, 'type')?.value.trim() !== 'Template' && !/^Template:./i.test(title);
  };
  form.addEventListener('input', follow, { signal });
  signal.addEventListener('abort', () => opener.remove());
  follow();
}

async function open({ settledText, takeOver }: TemplatePage, opener: HTMLElement): Promise<void> {
  const source = await settledText();
  if (source === undefined) return;
  const fields = parametersIn(source);
  const list = element('div', { class: 'parameter-rows' });
  const rows: { dom: HTMLElement; read(): ParameterFields }[] = [];
  const add = (given: ParameterFields, isNew = false) => {
    const row = rowOf(given, isNew, () => {
      rows.splice(rows.indexOf(row), 1);
      row.dom.remove();
    });
    rows.push(row);
    list.append(row.dom);
    return row;
  };
  for (const one of fields ?? []) add(one);
  const empty = {
    name: '',
    label: '',
    description: '',
    type: '',
    default: '',
    required: false,
    suggested: false,
  };
  openCard({
    title: say('editorTemplateData.parameters'),
    anchor: opener.getBoundingClientRect(),
    content: [
      fields ? list : element('p', { class: 'mistake' }, say('editorTemplateData.unreadable')),
      fields &&
        button(say('editorTemplateData.add'), { class: 'quiet-button' }, () =>
          add(empty, true).dom.querySelector('input')?.focus(),
        ),
    ],
    done() {
      if (!fields) return true;
      const changed = withParameters(
        source,
        rows.map((row) => row.read()).filter(({ name }) => name !== ''),
      );
      if (changed !== source)
        void takeOver(source, changed).then((isDone) => {
          if (isDone) announce(say('editorTemplateData.described'));
        });
      return true;
    },
    closed: () => opener.focus(),
  });
}

function rowOf(given: ParameterFields, isNew: boolean, remove: () => void) {
  const input = (key: 'label' | 'default') =>
    element('input', { value: given[key], dir: 'auto', maxlength: 1000 });
  const [label, otherwise] = [input('label'), input('default')];
  const name = element('input', {
    value: given.name,
    dir: 'auto',
    maxlength: 100,
    required: true,
    pattern: '[^{}\\[\\]<>\\|=]+',
  });
  const description = element('input', { value: given.description, dir: 'auto', maxlength: 1000 });
  const types = [...new Set(['', given.type, ...parameterTypes])];
  const type = element(
    'select',
    {},
    ...types.map((value) =>
      element(
        'option',
        { value, selected: value === given.type },
        value || say('editorTemplateData.anyType'),
      ),
    ),
  );
  const check = (isOn: boolean) => element('input', { type: 'checkbox', checked: isOn });
  const [required, suggested] = [check(given.required), check(given.suggested)];
  const choice = (field: HTMLElement, words: string) =>
    element('label', { class: 'choice' }, field, ` ${words}`);
  const dom = element(
    'fieldset',
    { class: 'parameter-row' },
    element('legend', {}, given.name || say('editorTemplateData.newParameter')),
    isNew ? cardField(say('editorTemplateData.name'), name) : undefined,
    cardField(say('editorTemplateData.label'), label),
    cardField(say('editorTemplateData.description'), description),
    cardField(say('editorTemplateData.type'), type),
    cardField(say('editorTemplateData.default'), otherwise),
    element(
      'div',
      { class: 'field' },
      choice(required, say('visualTemplateForm.required')),
      choice(suggested, say('editorTemplateData.suggested')),
    ),
    button(
      say('visualCards.remove'),
      { class: 'as-link', 'aria-label': `${say('visualCards.remove')}: ${given.name}` },
      remove,
    ),
  );
  return {
    dom,
    read: (): ParameterFields => ({
      name: name.value.trim(),
      label: label.value.trim(),
      description: description.value.trim(),
      type: type.value,
      default: otherwise.value,
      required: required.checked,
      suggested: suggested.checked,
    }),
  };
}
