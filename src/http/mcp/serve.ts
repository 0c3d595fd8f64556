/**
 * The MCP protocol through its SDK, which is imported on first use because of its size. Stateless: each request has its own
 * server object, so that any process can answer the next one. It serves both eras of the protocol: revision 2026-07-28, whose
 * requests say everything themselves, and the earlier revisions, which begin with a handshake.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Tool as DescribedTool } from '@modelcontextprotocol/server';
import type { Tool } from './tool.ts';

type Sdk = typeof import('@modelcontextprotocol/server');
type Fields = Record<string, unknown>;

interface McpFace {
  name: string;
  version: string;
  instructions: string;
  /** Tools available to the caller. */
  tools: readonly Tool[];
  /** Runs a tool; returns `undefined` if there is none of that name. Refusals are part of the response. */
  call(name: string, given: Fields): Promise<{ text: string; isError: boolean } | undefined>;
}

/** Answers a single protocol message. `given`: the headers that it came with. */
export async function answerMcp(
  face: McpFace,
  message: unknown,
  given: IncomingHttpHeaders,
): Promise<Response> {
  const sdk = await import('@modelcontextprotocol/server');
  const headers = new Headers({
    'content-type': 'application/json',
    // Added for clients that do not accept streams explicitly.
    accept: 'application/json, text/event-stream',
  });
  // The handshake negotiates the version by itself. Revision 2026-07-28 has none.
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { _meta?: Fields } };
  const isHandshake = method === 'initialize' && params?._meta?.[sdk.PROTOCOL_VERSION_META_KEY] === undefined;
  for (const name of isHandshake ? [] : ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = given[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const request = new Request('http://wiki.invalid/mcp', { method: 'POST', headers });
  if (await sdk.isLegacyRequest(request, message)) return answerLegacy(face, message, request, sdk);
  const handler = sdk.createMcpHandler(() => serverOf(face, sdk), { legacy: 'reject' });
  return handler.fetch(request, { parsedBody: message });
}

/** Answers a client of an earlier revision in JSON; the SDK's own handler would open a stream for each response. */
async function answerLegacy(face: McpFace, message: unknown, request: Request, sdk: Sdk): Promise<Response> {
  const version = request.headers.get('mcp-protocol-version');
  const { SUPPORTED_PROTOCOL_VERSIONS: supported } = sdk;
  if (version !== null && !supported.includes(version)) return unsupported(message, version, supported);
  const server = serverOf(face, sdk);
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/**
 * The SDK would answer without the ID of the request. The code is that of servers with sessions: the one of revision 2026-07-28
 * (-32022) would tell clients that they need not try the handshake, which this server has.
 */
function unsupported(message: unknown, requested: string, supported: readonly string[]): Response {
  const { id } = (message ?? {}) as { id?: unknown };
  const error = {
    code: -32000,
    message: `Unsupported protocol version. Supported versions: ${supported.join(', ')}.`,
    data: { supported, requested },
  };
  const isId = typeof id === 'string' || typeof id === 'number';
  return Response.json({ jsonrpc: '2.0', id: isId ? id : null, error }, { status: 400 });
}

function serverOf(face: McpFace, { Server, ProtocolError, ProtocolErrorCode }: Sdk) {
  const server = new Server(
    { name: 'coppice', title: face.name, version: face.version },
    { capabilities: { tools: {} }, instructions: face.instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: face.tools.map(described) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const answer = await face.call(params.name, params.arguments ?? {});
    if (!answer) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    return { content: [{ type: 'text', text: answer.text }], isError: answer.isError };
  });
  return server;
}

function described({ name, title, description, input, operations }: Tool): DescribedTool {
  const isWrite = operations.some(({ writes }) => writes);
  return {
    name,
    title,
    description,
    inputSchema: { ...input, additionalProperties: false } as unknown as DescribedTool['inputSchema'],
    annotations: isWrite
      ? { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
      : { readOnlyHint: true, openWorldHint: false },
  };
}
