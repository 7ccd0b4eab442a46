import { type AppLoadContext } from "@remix-run/node";
import { AcmeProblem } from "~/domain/acme/problem";
import { consumeTry } from "~/domain/limits/tries.server";
import { clientOf } from "~/http/client.server";
import { noteRefusal } from "~/http/noted-refusals.server";
import { addressOf } from "~/http/rate-limit.server";
import { noteRoute } from "~/http/request-metrics.server";
import { asRefusal } from "~/http/responses.server";
import { isPortalError } from "~/lib/errors";
import { logError } from "~/lib/log.server";
import { problemResponse, respond, withNonce } from "./answers.server";
import { type AcmeRequest, type AcmeResource, findResource } from "./resources.server";
import { readSigned } from "./signed-request.server";

/** Returns the error for a method that a resource does not have. */
function otherMethod({ read }: AcmeResource): AcmeProblem {
  const [allow, how] = read ? ["GET, HEAD", "GET"] : ["POST", "POST, also to read it (POST-as-GET)"];
  return new AcmeProblem("malformed", `This is asked with ${how}.`, { status: 405, headers: { Allow: allow } });
}

async function answer(request: Request, resource: AcmeResource, asked: AcmeRequest): Promise<Response> {
  const { read, write } = resource;
  const isPost = request.method === "POST";
  if (isPost && write) return respond(await write.answer(await readSigned(request, write.by), asked));
  if (!isPost && read) return respond(await read(asked));
  throw otherMethod(resource);
}

/** Returns the response of an error. What is unexpected is logged, and what concerns security recorded as an event. */
function refusal(request: Request, context: AppLoadContext, thrown: unknown): Response {
  const error = asRefusal(thrown, { request, context });
  if (isPortalError(error)) noteRefusal(request, error);
  else if (!(error instanceof AcmeProblem)) logError(error, { request, context });
  return problemResponse(error);
}

/** Returns the response with a nonce where clients expect one: for a POST, and for those that ask for one. Without it in an outage. */
async function withNextNonce(request: Request, path: string, response: Response): Promise<Response> {
  if (request.method !== "POST" && path !== "new-nonce") return response;
  return response.status === 503 ? response : withNonce(response);
}

/** Answers a request for `/acme/{path}` (RFC 8555). It never throws. */
export async function answerAcme(request: Request, path: string, context: AppLoadContext): Promise<Response> {
  noteRoute(context, "/acme/*"); // an address that somebody made up does not become a label of the metrics
  const found = findResource(path);
  if (found) noteRoute(context, `/acme/${found.resource.pattern}`);
  try {
    await consumeTry("acme-address", addressOf(request));
    if (!found) throw new AcmeProblem("malformed", `There is no resource /acme/${path}.`, { status: 404 });
    const { method, url } = request;
    const asked = { method, params: found.params, query: new URL(url).searchParams, client: clientOf(request) };
    return await withNextNonce(request, path, await answer(request, found.resource, asked));
  } catch (thrown) {
    const response = refusal(request, context, thrown);
    try {
      return await withNextNonce(request, path, response);
    } catch (error) {
      return refusal(request, context, error);
    }
  }
}
