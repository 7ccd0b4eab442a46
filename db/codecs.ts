import type SQLite from "better-sqlite3";
import {
  OperationNodeTransformer,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type SqliteStatement,
  type UnknownRow,
  type ValueNode,
} from "kysely";

/** Converts a value to what both databases accept: timestamps as ISO text in UTC, booleans as 0 and 1. */
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

type SqliteRow = Record<string, unknown>;

function decodeRow(row: SqliteRow, names: readonly string[]): SqliteRow {
  for (const name of names) if (row[name] !== null) row[name] = row[name] === 1;
  return row;
}

/**
 * Returns a SQLite statement that reads 0 and 1 as booleans in every column that is declared as boolean, whatever name the column is
 * selected under. The columns are found once for each statement; a statement without such columns is returned unchanged. Calculated values
 * stay numbers. PostgreSQL has its own boolean type.
 */
export function readingBooleans(statement: SQLite.Statement<unknown[], SqliteRow>): SqliteStatement {
  const columns = statement.reader ? statement.columns() : [];
  const names = columns.filter(({ type }) => type === "boolean").map(({ name }) => name);
  if (names.length === 0) return statement;
  return {
    reader: true,
    all: (parameters) => {
      const rows = statement.all(...parameters);
      for (const row of rows) decodeRow(row, names);
      return rows;
    },
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters)) yield decodeRow(row, names);
    },
    run: (parameters) => statement.run(...parameters),
  };
}

/** Encodes Dates and booleans in the parameters of a query, because better-sqlite3 accepts neither. */
export class CodecPlugin implements KyselyPlugin {
  private readonly encoder = new Encoder();

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return this.encoder.transformNode(node);
  }
  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }
}
