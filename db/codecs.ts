import {
  OperationNodeTransformer,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
} from "kysely";

/** Both databases take the same values: moments as ISO text in UTC, flags as 0 and 1. */
export function encode(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "boolean") return value ? 1 : 0;
  return value;
}

class Encoder extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...super.transformValue(node), value: encode(node.value) };
  }
  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...super.transformPrimitiveValueList(node), values: node.values.map(encode) };
  }
}

/** Encodes Dates and booleans on the way in (better-sqlite3 refuses both); the way out is set on the connection. */
export class CodecPlugin implements KyselyPlugin {
  private readonly encoder = new Encoder();

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return this.encoder.transformNode(node);
  }
  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }
}
