import {
  type BinaryOperationNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PrimitiveValueListNode,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  type UnknownRow,
  ValueNode,
} from "kysely";

const OPERATORS: Partial<Record<string, string>> = { in: "= any", "not in": "<> all" };

class Lists extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const { operator, rightOperand } = node;
    const one = OperatorNode.is(operator) ? OPERATORS[operator.operator] : undefined;
    if (one === undefined || !PrimitiveValueListNode.is(rightOperand)) return super.transformBinaryOperation(node);
    return {
      ...super.transformBinaryOperation(node),
      operator: RawNode.createWithSql(one),
      rightOperand: ParensNode.create(ValueNode.create([...rightOperand.values])),
    };
  }
}

/**
 * Sends a list of values as one array on PostgreSQL: `in ($1, $2)` becomes `= any ($1)`. The statement is then the same whatever the number of
 * values is, so that it keeps its name (`StatementNames`).
 */
export class ValueListsPlugin implements KyselyPlugin {
  private readonly lists = new Lists();

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return this.lists.transformNode(node);
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }
}
