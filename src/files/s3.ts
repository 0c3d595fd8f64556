/**
 * Files in a bucket of an S3-compatible storage, under the same names as on disk: `<prefix>/ab/cd/<sha-256>`. An upload is kept
 * in a temporary file on this machine until its hash is known. It is then sent in one request, or in parts if it is large. In
 * both cases the object only appears when it is complete. This module is loaded only if files are stored in a bucket, because
 * the client is large.
 */

import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Problem } from '#core/model/problem.ts';
import type { CopyPlace } from '#core/ports/copy-place.ts';
import type { ExportTarget } from '#core/ports/export-target.ts';
import type { FileStore, FoundBlob } from '#core/ports/file-store.ts';
import { limitConcurrency } from '#scheduling/limit-concurrency.ts';
import { say } from '#words/say.ts';
import { isHash, noSpool, openSpool, troubleWith } from './spool.ts';

export interface S3Settings {
  bucket: string;
  /** Prefix of object keys without leading and trailing slashes; may be empty. */
  prefix: string;
  /** Address of the storage. Empty for Amazon's own in the region. */
  endpoint: string;
  region: string;
  /** Whether the bucket is in the path of addresses instead of the host name. */
  isPathStyle: boolean;
}

/** The smallest part that S3 allows. A part is held in memory, so that it can be sent again. */
const partBytes = 5 * 1024 * 1024;
/** An upload has at most 10,000 parts, enough for exports of 160 GB. */
const exportPartBytes = 16 * 1024 * 1024;
const maxParallelUploads = 4;
/** Slow readers hold connections, and others must still get one. */
const maxConnections = 500;
/** Factor of the idle timeout: an idle connection may belong to a slow reader that has not yet consumed what arrived. */
const patience = 15;

/**
 * `folder` holds uploads in progress. Refuses with `unavailable` and a message for the operator if the bucket cannot be listed.
 * Credentials come from the client's usual sources: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, shared files, or the
 * machine's role. `answerMs`: time limit until a response begins; the idle timeout is fifteen times as long. Each request is
 * tried at most three times.
 */
export async function openS3(
  settings: S3Settings,
  folder: string,
  {
    answerMs = 20_000,
    makeRoom,
    isReadOnly = false,
  }: { answerMs?: number; makeRoom?: (() => void) | undefined; isReadOnly?: boolean } = {},
): Promise<FileStore> {
  const { bucket, prefix } = settings;
  const client = connect(settings, answerMs);
  const root = prefix === '' ? '' : `${prefix}/`;
  try {
    await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: root, MaxKeys: 1 }));
  } catch (error) {
    throw new Problem('unavailable', reasonNotToOpen(error, settings), { cause: error });
  }
  const spool = isReadOnly ? noSpool : await openSpool(folder, makeRoom);
  const limited = limitConcurrency(
    maxParallelUploads,
    1000,
    () => new Problem('unavailable', say('problem.tooManyFilesAreBeingUploadedAt')),
  );

  function placeOf(hash: string): { Bucket: string; Key: string } {
    return { Bucket: bucket, Key: `${root}${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}` };
  }

  async function upload(part: string, hash: string): Promise<void> {
    const upload = new Upload({
      client,
      // The neutral type prevents direct access to the bucket from displaying an uploaded page.
      params: { ...placeOf(hash), Body: createReadStream(part), ContentType: 'application/octet-stream' },
      partSize: partBytes,
      queueSize: 1,
    });
    // If this fails, the parts sent so far are discarded.
    await upload.done();
  }

  async function find(hash: string): Promise<FoundBlob | undefined> {
    if (!isHash(hash)) return undefined;
    const found = await unlessMissing(() => client.send(new HeadObjectCommand(placeOf(hash))));
    return found && { hash, sizeBytes: found.ContentLength ?? 0, storedAt: timeOf(found.LastModified) };
  }

  return {
    put(bytes, maxBytes) {
      return spool(bytes, maxBytes, (part, { hash }) => limited(() => answered(() => upload(part, hash))));
    },
    async open(hash, range) {
      if (!isHash(hash)) return undefined;
      const found = await unlessMissing(() =>
        client.send(
          new GetObjectCommand({
            ...placeOf(hash),
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        ),
      );
      return found && withProblems(found.Body as Readable);
    },
    find,
    trouble: () => troubleWith(folder),
    async remove(hash, storedBefore = Number.POSITIVE_INFINITY) {
      const found = await find(hash);
      if (!found || found.storedAt >= storedBefore) return false;
      await answered(() => client.send(new DeleteObjectCommand(placeOf(hash))));
      return true;
    },
    async *list() {
      const pages = paginateListObjectsV2({ client, pageSize: 1000 }, { Bucket: bucket, Prefix: root });
      for (;;) {
        const { value: page, done } = await answered(() => pages.next());
        if (done) return;
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const hash = Key.slice(-64);
          // Ignores objects of other programs in the bucket.
          if (!isHash(hash) || Key !== placeOf(hash).Key) continue;
          yield { hash, sizeBytes: Size, storedAt: timeOf(LastModified) };
        }
      }
    },
  };
}

/** Exports below the prefix of the settings. The client connects on first use. */
export function exportBucket(
  settings: S3Settings,
  answerMs = 20_000,
  partSize = exportPartBytes,
): ExportTarget {
  const client = connect(settings, answerMs);
  const root = settings.prefix === '' ? '' : `${settings.prefix}/`;
  const placeOf = (name: string) => ({ Bucket: settings.bucket, Key: `${root}${name}` });
  const explained = explainerOf(settings);
  return {
    put: (name, bytes, signal) =>
      explained(async () => {
        const params = {
          ...placeOf(name),
          Body: Readable.from(bytes),
          ContentType: 'application/octet-stream',
        };
        const upload = new Upload({ client, params, partSize, queueSize: 1 });
        signal.throwIfAborted();
        const abort = () => void upload.abort();
        signal.addEventListener('abort', abort);
        try {
          await upload.done();
        } finally {
          signal.removeEventListener('abort', abort);
        }
      }),
    list: () =>
      explained(async () => {
        const names: string[] = [];
        const pages = paginateListObjectsV2(
          { client },
          { Bucket: settings.bucket, Prefix: `${root}coppice-` },
        );
        for await (const { Contents = [] } of pages)
          names.push(...Contents.map(({ Key = '' }) => Key.slice(root.length)));
        return names;
      }),
    remove: (name) =>
      explained(async () => {
        await client.send(new DeleteObjectCommand(placeOf(name)));
      }),
  };
}

/** A continuous copy below the prefix of the settings. The client connects on first use. */
export function copyBucket(settings: S3Settings, answerMs = 20_000): CopyPlace {
  const client = connect(settings, answerMs);
  const root = settings.prefix === '' ? '' : `${settings.prefix}/`;
  const placeOf = (name: string) => ({ Bucket: settings.bucket, Key: `${root}${name}` });
  const explained = explainerOf(settings);
  return {
    put: (name, bytes) =>
      explained(async () => {
        const target = { ...placeOf(name), ContentType: 'application/octet-stream' };
        if (bytes instanceof Uint8Array)
          return void (await client.send(new PutObjectCommand({ ...target, Body: bytes })));
        const params = { ...target, Body: Readable.from(bytes, { objectMode: false }) };
        await new Upload({ client, params, partSize: exportPartBytes, queueSize: 1 }).done();
      }),
    open: (name) =>
      explained(async () => {
        try {
          const { Body } = await client.send(new GetObjectCommand(placeOf(name)));
          return Body as Readable;
        } catch (error) {
          if ((error as Error).name === 'NoSuchKey') return undefined;
          throw error;
        }
      }),
    async *list(prefix) {
      const found = { Bucket: settings.bucket, Prefix: `${root}${prefix}` };
      const pages = paginateListObjectsV2({ client, pageSize: 1000 }, found);
      for (;;) {
        const { value: page, done } = await explained(() => pages.next());
        if (done) return;
        for (const { Key = '' } of page.Contents ?? []) yield Key.slice(root.length);
      }
    },
    remove: (name) =>
      explained(async () => {
        await client.send(new DeleteObjectCommand(placeOf(name)));
      }),
  };
}

/** Runs work on a bucket; its errors become sentences for the operator. */
function explainerOf(settings: S3Settings): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof S3ServiceException || (error as Error).name === 'CredentialsProviderError'))
        throw error;
      throw new Problem('unavailable', reasonNotToOpen(error, settings), { cause: error });
    }
  };
}

function connect({ endpoint, region, isPathStyle }: S3Settings, answerMs: number): S3Client {
  return new S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint === '' ? {} : { endpoint }),
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: answerMs / 4,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: answerMs * patience,
      httpAgent: { maxSockets: maxConnections },
      httpsAgent: { maxSockets: maxConnections },
    },
    // Not all S3-compatible storages support the newer checksums. Requests are signed with the SHA-256 of their body, which all
    // support.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
  });
}

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    // A response to `HEAD` has no body to say what is missing.
    if (error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name)) {
      return undefined;
    }
    throw unavailable(error);
  }
}

/** Yields the same bytes. A broken connection becomes a Problem, and a consumer that stops reading closes the connection. */
function withProblems(body: Readable): Readable {
  const bytes = new PassThrough();
  body.on('error', (error) => bytes.destroy(unavailable(error)));
  bytes.on('close', () => body.destroy());
  return body.pipe(bytes);
}

function unavailable(error: unknown): Problem {
  return new Problem('unavailable', say('problem.theFileStorageDoesNotRespondTry'), {
    cause: error,
  });
}

function timeOf(lastModified: Date | undefined): number {
  // A missing time counts as now, so that no recent file is deleted.
  return lastModified?.getTime() ?? Date.now();
}

function reasonNotToOpen(error: unknown, { bucket, endpoint, region }: S3Settings): string {
  const { name, message, code } = error as NodeJS.ErrnoException;
  const place = endpoint || `Amazon S3 in ${region}`;
  switch (name) {
    case 'NoSuchBucket':
      return `there is no bucket “${bucket}” at ${place}.`;
    case 'CredentialsProviderError':
      return 'there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `${place} does not accept these credentials (${name}). See AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
    case 'AccessDenied':
      return `the credentials may not list the bucket “${bucket}” at ${place}.`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `the bucket “${bucket}” is not in the region that S3_REGION names (${message}).`;
    default:
      return `the bucket “${bucket}” at ${place} cannot be used (${message || code || name}).`;
  }
}
