import {
  type BinaryOperationNode,
  CamelCasePlugin,
  type IdentifierNode,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type PluginTransformQueryArgs,
  type RootOperationNode,
  SqliteQueryCompiler,
} from "kysely";

/**
 * Gives the columns of results their names in camelCase. The compilers below give names their underscores. The plugin would do both, but
 * copies every statement for it, which takes as long as building it.
 */
export class CamelCaseResults extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }
  /** Returns a name as it stands in the database: `orderId` as `order_id`. */
  inDatabase(name: string): string {
    return this.snakeCase(name);
  }
}

const names = new CamelCaseResults();
const quotedNames = new Map<string, string>();

/** Returns a name as it stands in statements: `orderId` as `"order_id"`. There are no more names than tables, columns and aliases in the code. */
function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const made = `"${names.inDatabase(name).replaceAll('"', '""')}"`;
  quotedNames.set(name, made);
  return made;
}

export class SnakeCaseSqliteCompiler extends SqliteQueryCompiler {
  protected override visitIdentifier({ name }: IdentifierNode): void {
    this.append(quoted(name));
  }
}

const OPERATORS: Partial<Record<string, string>> = { in: "= any", "not in": "<> all" };

/**
 * The lengths of short lists. PostgreSQL guesses that an array has ten values. A statement about fewer seems cheaper than its guess, so it makes
 * a new plan each time. Where the statement shows the number of values, it keeps the plan after five uses.
 */
const SHORT_LISTS = [1, 2, 4, 8];

/**
 * Sends lists of values in few forms, so that a statement with a list keeps its name (`StatementNames`): a short list with its last value
 * repeated up to the next of a few lengths, a longer one as one array, `in ($1, $2)` as `= any ($1)`.
 */
class SnakeCasePostgresCompiler extends PostgresQueryCompiler {
  protected override visitIdentifier({ name }: IdentifierNode): void {
    this.append(quoted(name));
  }
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    const one = OperatorNode.is(operator) ? OPERATORS[operator.operator] : undefined;
    if (one === undefined || !PrimitiveValueListNode.is(rightOperand)) return super.visitBinaryOperation(node);
    const { values } = rightOperand;
    const length = values.length === 0 ? undefined : SHORT_LISTS.find((short) => short >= values.length);
    if (length !== undefined) {
      const repeated = Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)]);
      return super.visitBinaryOperation({ ...node, rightOperand: PrimitiveValueListNode.create(repeated) });
    }
    this.visitNode(leftOperand);
    this.append(` ${one} (`);
    this.appendValue([...values]);
    this.append(")");
  }
}

export class SnakeCasePostgresDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new SnakeCasePostgresCompiler();
  }
}
