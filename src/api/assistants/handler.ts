/** The Model Context Protocol as it is answered here. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type AssistantSession, createAssistantServer } from './server.ts';

export type AssistantHandler = ReturnType<typeof createAssistantHandler>;

/** Answers calls whose `authInfo.extra.session` is an `AssistantSession`. */
export const createAssistantHandler = (bodyMaxBytes: number) =>
  createMcpHandler(
    (context) => createAssistantServer(context.authInfo?.extra?.['session'] as AssistantSession),
    {
      // Answers are JSON, as no tool says anything before its answer. Clients of 2025 are served by the same tools, each call by itself.
      legacy: 'stateless',
      maxRequestBodySize: bodyMaxBytes,
      // Nothing is told unasked.
      maxSubscriptions: 0,
      keepAliveMs: 0,
    },
  );
