/** Uploads files and a page's fields as multipart/form-data, and reports progress. */
import { CoppiceError } from './problem.ts';
import type { Sender } from './send.ts';

const partBytes = 64 * 1024;

/** Progress of an upload in bytes, and a way to stop it. */
export interface UploadOptions {
  /** Called repeatedly with byte counts; `total` includes the fields. */
  onProgress?: (sent: number, total: number) => void;
  signal?: AbortSignal;
}

interface Uploaded {
  /** Fields as in JSON; each value is sent as text. */
  fields: Record<string, unknown>;
  files: readonly (File | { name: string; blob: Blob })[];
}

/** Returns the wiki's JSON response. */
export async function upload(
  sender: Sender,
  path: string,
  { fields, files }: Uploaded,
  { onProgress, signal }: UploadOptions,
): Promise<unknown> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  for (const file of files)
    if (file instanceof File) form.append('file', file);
    else form.append('file', file.blob, file.name);
  // In browsers, only XMLHttpRequest reports the progress of uploads.
  if (onProgress && typeof XMLHttpRequest === 'function')
    return byXhr(sender, { path, form }, onProgress, signal);
  if (!onProgress)
    return (await sender.send({ method: 'POST', path, body: () => ({ body: form }), signal })).json();
  const encoded = await new Response(form).blob();
  const body = () => ({ body: counted(encoded, onProgress), type: encoded.type });
  return (await sender.send({ method: 'POST', path, body, signal })).json();
}

/** Yields one chunk at a time, on demand. */
function counted(blob: Blob, onProgress: (sent: number, total: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent >= blob.size) return controller.close();
      const part = blob.slice(sent, sent + partBytes);
      controller.enqueue(new Uint8Array(await part.arrayBuffer()));
      sent += part.size;
      onProgress(sent, blob.size);
    },
  });
}

async function byXhr(
  sender: Sender,
  { path, form }: { path: string; form: FormData },
  onProgress: (sent: number, total: number) => void,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { Authorization } = await sender.authorization();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', sender.address + path);
    if (Authorization) request.setRequestHeader('Authorization', Authorization);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onerror = () => reject(new TypeError('The wiki could not be reached.'));
    request.onabort = () => reject(signal?.reason);
    request.onload = () =>
      request.status < 300
        ? resolve(request.response)
        : reject(new CoppiceError(request.status, request.response ?? {}));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
