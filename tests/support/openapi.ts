import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { openApiDocument } from "~/api/openapi.server";
import { PROBLEMS } from "~/api/responses.server";
import { findCalls } from "~/api/table.server";

interface Answer {
  content?: Record<string, object>;
}

interface Operation {
  responses: Record<string, Answer | { $ref: string } | undefined>;
}

/** Returns the served description, with the fields that the tests use. */
export const description = () =>
  openApiDocument() as {
    openapi: string;
    paths: Record<string, Record<string, Operation> | undefined>;
    components: { responses: Record<string, Answer | undefined> };
  };

let ajv: Ajv2020 | undefined;

function schemas(): Ajv2020 {
  if (ajv) return ajv;
  ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: "https://portal.test/api", ...description() });
  return ajv;
}

const pointer = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

/**
 * Returns the description of a call's answers with this status, and its position in the document. Refusals are described once for all
 * calls.
 */
function answerOf(path: string, method: string, status: number): { documented: Answer | undefined; place: string[] } {
  const answer = description().paths[path]?.[method]?.responses[status];
  if (!answer || !("$ref" in answer))
    return { documented: answer, place: ["paths", path, method, "responses", String(status)] };
  const name = answer.$ref.replace("#/components/responses/", "");
  return { documented: description().components.responses[name], place: ["components", "responses", name] };
}

/** Checks that the description of a status contains the answer's code, unless it says that there are others. */
async function demandKnownCode(path: string, answer: Response): Promise<void> {
  const problem = PROBLEMS[answer.status];
  const { errorCode } = (await answer.json()) as { errorCode?: string };
  if (errorCode === undefined || !problem || problem.others !== undefined) return;
  expect({ path, status: answer.status, codes: problem.codes }).toMatchObject({
    codes: expect.arrayContaining([errorCode]) as string[],
  });
}

/**
 * Fails unless an answer has a status, a type and a content that the description has for its call. Unknown calls and methods are not
 * checked. Only a copy of the answer is read; files are not read.
 */
export async function demandDescribed(path: string, method: string, answer: Response): Promise<void> {
  const call = findCalls(path)?.calls.find((one) => one.method === (method === "HEAD" ? "GET" : method));
  if (!call || method === "HEAD") return;
  const { documented, place: within } = answerOf(`/api/${call.path}`, call.method.toLowerCase(), answer.status);
  const type = (answer.headers.get("Content-Type") ?? "").split(";")[0] ?? "";
  const place = { path: call.path, status: answer.status, type };
  expect({ ...place, isDescribed: documented !== undefined }).toEqual({ ...place, isDescribed: true });
  if (answer.status === 304) return;
  expect({ path: call.path, status: answer.status, types: Object.keys(documented?.content ?? {}) }).toMatchObject({
    types: expect.arrayContaining([type]) as string[],
  });
  if (type !== "application/json") return;
  await demandKnownCode(path, answer.clone());
  const parts = [...within, "content", type, "schema"];
  const validate = schemas().getSchema(`https://portal.test/api#/${parts.map(pointer).join("/")}`);
  if (!validate) throw new Error(`no schema for ${call.path}`);
  const body: unknown = await answer.clone().json();
  const isValid = await validate(body);
  expect({ path: call.path, body: isValid ? null : body, problems: validate.errors ?? [] }).toEqual({
    path: call.path,
    body: null,
    problems: [],
  });
}
