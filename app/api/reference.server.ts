import { Marked } from "marked";
import { type HtmlHeading, markdownHtml } from "~/lib/markdown-html.server";
import { openApiDocument } from "./openapi.server";
import { LARGEST_WIRE_ID } from "./wire";

/** The parts of a JSON schema that the description uses. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  description?: string;
  $ref?: string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; content?: Content; $ref?: string }>;
}

interface Document {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
}

const typesOf = ({ type = "any" }: Schema): string[] => [type].flat();

/** Returns a schema in the notation of TypeScript, on one or several lines. */
const shapeOf = (schema: Schema, indent = ""): string => shapesOf(schema, indent).join(" | ");

/** Returns the alternatives of a schema without duplicates, null last. */
function shapesOf(schema: Schema, indent: string): string[] {
  const shapes = schema.anyOf?.flatMap((one) => shapesOf(one, indent)) ?? shapesBesidesNull(schema, indent);
  const isNullable = shapes.includes("null") || typesOf(schema).includes("null");
  return [...new Set(shapes.filter((shape) => shape !== "null")), ...(isNullable ? ["null"] : [])];
}

function shapesBesidesNull(schema: Schema, indent: string): string[] {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  if (schema.items) {
    const item = shapesOf(schema.items, indent);
    return [item.length > 1 ? `(${item.join(" | ")})[]` : `${item.join("")}[]`];
  }
  if (schema.properties) {
    const inner = `${indent}  `;
    const lines = Object.entries(schema.properties).map(([name, member]) => {
      const isRequired = schema.required?.includes(name) ?? false;
      const about = member.description ? ` // ${member.description.replaceAll("`", "")}` : "";
      return `${inner}${name}${isRequired ? "" : "?"}: ${shapeOf(member, inner)};${about}`;
    });
    return [lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`];
  }
  return typesOf(schema).map((type) => (type === "integer" ? "number" : type));
}

interface Field {
  name: string;
  /** Where the field is sent, if not with the call's other fields. */
  place?: string;
  isRequired: boolean;
  schema: Schema;
}

/** Returns the fields of an object by path: `order.quantity`, `contacts[].email`. A field that contains others comes before them. */
function fieldsIn({ properties = {}, required = [] }: Schema, path = ""): Field[] {
  return Object.entries(properties).flatMap(([member, schema]) => {
    const field = { name: path + member, isRequired: required.includes(member), schema };
    const { items } = schema;
    const within = fieldsIn(items ?? schema, `${field.name}${items ? "[]" : ""}.`);
    if (within.length === 0) return [field];
    const { properties: _, ...outside } = schema;
    return [{ ...field, schema: items ? { ...outside, items: { type: "object" } } : outside }, ...within];
  });
}

function fieldsOf({ parameters = [], requestBody }: Operation): Field[] {
  const [body] = Object.values(requestBody?.content ?? {});
  return [
    ...parameters.map(({ name, in: place, required: isRequired = false, schema }) => ({
      name,
      isRequired,
      schema,
      ...(place !== "query" && { place }),
    })),
    ...fieldsIn(body?.schema ?? {}),
  ];
}

const inCell = (text: string) => text.replaceAll("|", "or").replace(/\s+/g, " ");

/** Returns the limits of length, value and number, in words. */
function limitsOf({ minimum, maximum, maxLength, maxItems, items }: Schema): string[] {
  const isRange = minimum !== undefined && maximum !== undefined && maximum < LARGEST_WIRE_ID;
  return [
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(isRange ? [`${minimum} to ${maximum}`] : []),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(items ? limitsOf(items) : []),
  ];
}

const aboutOf = ({ description = "", ...schema }: Schema) =>
  inCell([description, ...limitsOf(schema)].filter(Boolean).join("; "));

const isUnused = ({ schema }: Field) => schema.description === "Not used";

/** Returns the table of fields. Fields that are accepted and not used are only named. */
function fieldTable(fields: readonly Field[], method: string): string {
  if (fields.length === 0) return method === "post" ? "It takes no fields: the body is `{}`." : "It takes no fields.";
  const unused = fields.filter(isUnused).map(({ name }) => `\`${name}\``);
  const rows = fields
    .filter((field) => !isUnused(field))
    .map(({ name, place, isRequired, schema }) =>
      [
        `\`${name}\`${place ? ` (${place})` : ""}`,
        inCell(shapeOf(schema)),
        isRequired ? "yes" : "no",
        aboutOf(schema),
      ].join(" | "),
    );
  const table = ["Field | Type | Required | About", "--- | --- | --- | ---", ...rows].join("\n");
  return [
    ...(rows.length > 0 ? [table] : []),
    ...(unused.length > 0 ? [`Accepted and not used: ${unused.join(", ")}.`] : []),
  ].join("\n\n");
}

/** Returns the content of the answer, without the wrapper, which is the same for all calls. */
function answerOf({ responses }: Operation): string {
  const [[type, { schema }] = ["", { schema: {} as Schema }]] = Object.entries(responses["200"]?.content ?? {});
  if (type !== "application/json")
    return `Answers a file (${Object.keys(responses["200"]?.content ?? {}).join(", ")}).`;
  const content = schema.properties?.responseContent;
  const shape = shapeOf(content ?? schema);
  return `${content ? "`responseContent`" : "The answer"}:\n\n\`\`\`\n${shape}\n\`\`\``;
}

/** Returns the refusals of a call: its own reasons in words, and the statuses of all. */
function refusalsOf({ responses }: Operation): string {
  const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const own = refused.flatMap(([status, { $ref, description }]) =>
    $ref && description ? [`- ${status}: ${description}.`] : [],
  );
  return [`Refused with ${refused.map(([status]) => status).join(", ")}.`, ...own].join("\n");
}

const heading = (path: string, method: string) => `${method.toUpperCase()} ${path.replace(/^\/api\//, "")}`;

const sectionOf = (path: string, method: string, operation: Operation) =>
  [
    `### ${heading(path, method)}`,
    `${operation.summary}.`,
    operation.description,
    fieldTable(fieldsOf(operation), method),
    answerOf(operation),
    refusalsOf(operation),
  ].join("\n\n");

/** Returns the API reference as HTML, with its headings, which can be linked to. */
export function readableCalls(): { html: string; headings: HtmlHeading[] } {
  const { info, paths } = openApiDocument() as Document;
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const name = operation.tags[0] ?? "";
      groups.set(name, [...(groups.get(name) ?? []), sectionOf(path, method, operation)]);
    }
  const chapters = [...groups].map(([name, sections]) => [`## ${name}`, ...sections].join("\n\n"));
  return markdownHtml(new Marked().lexer([info.description, ...chapters].join("\n\n")));
}
