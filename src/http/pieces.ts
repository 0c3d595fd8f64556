/**
 * Reads bodies as they arrive. Large ones stay in pieces: putting 27 MB together takes 30 ms, in which nobody else is
 * answered, and doing so from the beginning would take the memory that a header announces before any of it is sent.
 */
import { errorCodes, type FastifyRequest } from 'fastify';

/** Less is put together in some tenths of a millisecond, and read as JSON in some milliseconds. */
export const largeBytes = 1_000_000;

/** Of one body; then everybody else has a turn. What lies ready is 2 MB otherwise, of each that is being sent. */
const bytesAtOnce = 256 * 1024;

/**
 * A whole body: one piece, or several of which all but the last have a megabyte or more, and memory of their own.
 * Refuses what is longer than the route takes (413), and what breaks off.
 */
export function readPieces(request: FastifyRequest): Promise<Buffer[]> {
  const { raw } = request;
  const { bodyLimit } = request.routeOptions;
  const pieces: Buffer[] = [];
  let loose: Buffer[] = [];
  let [looseBytes, bytes, restAt] = [0, 0, bytesAtOnce];

  // Copied, as what comes lies in what the socket is read into.
  function putTogether(): void {
    pieces.push(Buffer.concat(loose, looseBytes));
    [loose, looseBytes] = [[], 0];
  }

  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > bodyLimit) tooLarge();
    else raw.on('data', take).on('end', end).on('error', breakOff);

    function take(chunk: Buffer): void {
      bytes += chunk.length;
      looseBytes += chunk.length;
      loose.push(chunk);
      if (looseBytes >= largeBytes) putTogether();
      if (bytes > bodyLimit) tooLarge();
      else if (bytes >= restAt) {
        restAt = bytes + bytesAtOnce;
        raw.pause();
        setImmediate(() => raw.resume());
      }
    }
    function end(): void {
      letGo();
      if (looseBytes > 0 || pieces.length === 0) putTogether();
      resolve(pieces);
    }
    function tooLarge(): void {
      letGo();
      reject(errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    }
    // No bug of ours, and nobody is left to be answered.
    function breakOff(error: Error): void {
      letGo();
      reject(Object.assign(error, { statusCode: 400 }));
    }
    function letGo(): void {
      raw.off('data', take).off('end', end).off('error', breakOff);
    }
  });
}
