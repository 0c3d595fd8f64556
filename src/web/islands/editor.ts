/** The editor's entry: loaded on pages that have its form, which works as it is should anything here fail. */
import { mountEditor } from './editor/mount.ts';

const form = document.querySelector<HTMLFormElement>('#page-form');
if (form) await mountEditor(form);
