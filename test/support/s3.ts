/**
 * S3 storage for tests: fauxqs, which accepts any credentials, behind a front that checks signatures as S3 does, with another
 * implementation than the client's, and that can break off or hang.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request as requestTo, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import aws4 from 'aws4';
import { startFauxqs } from 'fauxqs';
import type { S3Settings } from '#files/s3.ts';

export interface Storage extends AsyncDisposable {
  /** Settings for a new, empty bucket. */
  settings: S3Settings;
  /** The same settings as environment variables. */
  env: Record<string, string>;
  /** Method, path and query of each request so far. */
  requests: string[];
  /**
   * Treatment of requests: `drop` and `hang` send nothing, `cut` and `stall` part of a response; `drop` and `cut` close the
   * connection.
   */
  fate: (request: IncomingMessage) => 'pass' | 'drop' | 'hang' | 'cut' | 'stall';
}

const credentials = { accessKeyId: 'a-key', secretAccessKey: 'a-secret' };

/** Sets the storage's credentials in the environment of this process. */
export async function startStorage(): Promise<Storage> {
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
  const behind = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  behind.createBucket('files');
  const front = createServer(async (request, answer) => {
    storage.requests.push(`${request.method} ${request.url}`);
    const fate = storage.fate(request);
    if (fate === 'hang') return;
    if (fate === 'drop') return void answer.destroy();
    const body = await buffer(request);
    const refusal = refusalOf(request, body);
    if (refusal) refuse(answer, refusal);
    else forward({ request, body, answer, port: behind.port }, fate);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const storage: Storage = {
    settings: { bucket: 'files', prefix: 'wiki', endpoint, region: 'eu-central-1', isPathStyle: true },
    env: {
      FILES: 's3:files/wiki',
      S3_ENDPOINT: endpoint,
      S3_REGION: 'eu-central-1',
      S3_PATH_STYLE: 'on',
    },
    requests: [],
    fate: () => 'pass',
    async [Symbol.asyncDispose]() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await behind.stop();
    },
  };
  return storage;
}

/** Returns S3's error code if the request is not signed correctly. */
function refusalOf({ method, url, headers }: IncomingMessage, body: Buffer): string | undefined {
  const { authorization = '' } = headers;
  const [, key, signed = ''] = /Credential=([^/]+)\/.*SignedHeaders=([^,]+),/.exec(authorization) ?? [];
  if (key === undefined) return 'AccessDenied';
  if (key !== credentials.accessKeyId) return 'InvalidAccessKeyId';
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) {
    return 'XAmzContentSHA256Mismatch';
  }
  const names = signed.split(';');
  const request = {
    service: 's3',
    region: 'eu-central-1',
    method: method ?? '',
    path: url ?? '',
    headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
    // Headers that the library does not sign by default.
    extraHeadersToInclude: Object.fromEntries(names.map((name) => [name, true])),
  };
  const again = aws4.sign(request, credentials);
  return again.headers?.Authorization === authorization ? undefined : 'SignatureDoesNotMatch';
}

function refuse(answer: ServerResponse, code: string): void {
  answer.writeHead(403, { 'content-type': 'application/xml' });
  answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused</Message></Error>`);
}

interface Forwarded {
  request: IncomingMessage;
  body: Buffer;
  answer: ServerResponse;
  /** Port of the server behind this one. */
  port: number;
}

function forward({ request, body, answer, port }: Forwarded, fate: 'pass' | 'cut' | 'stall'): void {
  const { method, url, headers } = request;
  const onward = requestTo({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
  onward.on('error', () => answer.destroy());
  onward.on('response', (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
    if (fate === 'pass') return void answered.pipe(answer);
    answered.once('data', (chunk: Buffer) =>
      answer.write(chunk.subarray(0, 1000), () => {
        if (fate === 'cut') answer.destroy();
      }),
    );
  });
  onward.end(body);
}
