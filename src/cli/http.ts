/**
 * `huvudbok http` as `start` runs it, when it is told to: a file of its own, which is compiled by itself, for everybody waits
 * for it (docs/decisions/0025-compiled-once.md).
 */
import { loadProcessConfig } from '../config/config.ts';
import { runHttp } from '../process/http-server.ts';
import { untilTold } from '../process/lifecycle.ts';
import { runToEnd } from './ending.ts';

runToEnd(async () => {
  await untilTold();
  await runHttp(loadProcessConfig());
});
