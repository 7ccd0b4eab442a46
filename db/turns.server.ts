import { setImmediate } from "node:timers/promises";
import { type KyselyPlugin, type PluginTransformQueryArgs, type PluginTransformResultArgs } from "kysely";

/** How long statements of SQLite follow each other before other work of the process gets its turn, in milliseconds. */
const SLICE_MS = 8;

/**
 * Gives other work its turn during a long transaction on SQLite, where every statement has its result at once, so that the event loop would
 * get no turn between them. Other statements wait for the end of the transaction all the same.
 */
export class TurnsPlugin implements KyselyPlugin {
  private lastTurn = performance.now();

  transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    if (performance.now() - this.lastTurn < SLICE_MS) return result;
    await setImmediate();
    this.lastTurn = performance.now();
    return result;
  }
}
