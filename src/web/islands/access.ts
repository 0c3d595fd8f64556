/** Entry point of the form for the access of a page and those beneath: says who will read and edit while somebody chooses. */
import { accessMeans } from '#web/chosen-access.ts';
import { accessIn, labelPermissions, wikiOf } from './access-fields.ts';

const form = document.querySelector<HTMLFormElement>('form[data-permissions]');
const told = document.querySelector<HTMLElement>('#access-means');
if (form && told) {
  const update = () => {
    labelPermissions(form);
    told.textContent = accessMeans(accessIn(form), wikiOf(form));
  };
  form.addEventListener('input', update);
  update();
}
