/**
 * The MCP protocol through its SDK, which is imported on first use because of its dependencies. Stateless: each request has its
 * own server object, so that any process can answer the next one.
 */
import type { Tool as DescribedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Tool } from './tool.ts';

export interface McpFace {
  name: string;
  version: string;
  instructions: string;
  /** Tools available to the caller. */
  tools: readonly Tool[];
  /** Runs a tool; returns `undefined` if there is none of that name. Refusals are part of the response. */
  call(name: string, given: Record<string, unknown>): Promise<{ text: string; isError: boolean } | undefined>;
}

export type AnswerMcp = (
  face: McpFace,
  message: unknown,
  version: string | undefined,
) => Promise<{ status: number; body: string }>;

/** Answers a single protocol message. `version`: the header `MCP-Protocol-Version`. */
export function createMcp(): AnswerMcp {
  let sdk: ReturnType<typeof loadSdk> | undefined;
  return async (face, message, version) => {
    sdk ??= loadSdk();
    const { Transport, ...parts } = await sdk;
    const refusal = refusalOf(message, version, parts.types.SUPPORTED_PROTOCOL_VERSIONS);
    if (refusal) return refusal;
    const server = serverOf(face, parts);
    const transport = new Transport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const { SUPPORTED_PROTOCOL_VERSIONS: supported } = parts.types;
      const known = version !== undefined && supported.includes(version) ? version : undefined;
      const headers = {
        'content-type': 'application/json',
        // Added for clients that do not accept streams explicitly; a stream is never sent.
        accept: 'application/json, text/event-stream',
        ...(known === undefined ? {} : { 'mcp-protocol-version': known }),
      };
      const request = new Request('http://wiki.invalid/mcp', { method: 'POST', headers });
      const answer = await transport.handleRequest(request, { parsedBody: message });
      return { status: answer.status, body: await answer.text() };
    } finally {
      await server.close();
    }
  };
}

/**
 * A protocol version that is not supported. The SDK would answer without the ID of the request. The code is that of servers with
 * sessions: the one of revision 2026-07-28 (-32022) tells clients that they need not try the handshake of earlier revisions,
 * which this server has. `initialize` negotiates the version by itself.
 */
function refusalOf(
  message: unknown,
  version: string | undefined,
  supported: readonly string[],
): { status: number; body: string } | undefined {
  if (version === undefined || supported.includes(version)) return undefined;
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  if (method === 'initialize') return undefined;
  const error = {
    code: -32000,
    message: `Unsupported protocol version. Supported versions: ${supported.join(', ')}.`,
    data: { supported, requested: version },
  };
  const isId = typeof id === 'string' || typeof id === 'number';
  return { status: 400, body: JSON.stringify({ jsonrpc: '2.0', id: isId ? id : null, error }) };
}

function serverOf(face: McpFace, { Server, types, validator }: Omit<Sdk, 'Transport'>) {
  const server = new Server(
    { name: 'coppice', title: face.name, version: face.version },
    { capabilities: { tools: {} }, instructions: face.instructions, jsonSchemaValidator: validator },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, async () => ({ tools: face.tools.map(described) }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    const answer = await face.call(params.name, params.arguments ?? {});
    if (!answer) throw new types.McpError(types.ErrorCode.InvalidParams, 'There is no such tool.');
    return { content: [{ type: 'text', text: answer.text }], isError: answer.isError };
  });
  return server;
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

async function loadSdk() {
  const [{ Server }, transport, types, { AjvJsonSchemaValidator }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('@modelcontextprotocol/sdk/validation/ajv'),
  ]);
  // Shared, because creating it takes longer than most responses.
  const validator = new AjvJsonSchemaValidator();
  return { Server, Transport: transport.WebStandardStreamableHTTPServerTransport, types, validator };
}

function described({ name, title, description, input, operations }: Tool): DescribedTool {
  const isWrite = operations.some(({ writes }) => writes);
  return {
    name,
    title,
    description,
    inputSchema: { ...input, additionalProperties: false } as DescribedTool['inputSchema'],
    annotations: isWrite
      ? { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
      : { readOnlyHint: true, openWorldHint: false },
  };
}
