import { type LoaderFunctionArgs } from "@remix-run/node";
import { readEntityFile } from "~/domain/codes/certificates/entity-page.service.server";
import { fileResponse } from "~/http/files.server";
import { errorResponse } from "~/http/responses.server";
import { requireSearcher } from "~/http/searcher.server";
import { notFound } from "~/lib/errors";
import { readId } from "~/lib/ids";

/** Returns a file of a certificate that is published at an entity, to somebody who may search the register. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireSearcher(request);
  const query = new URL(request.url).searchParams;
  const certificate = readId(query.get("certificate") ?? "");
  const file = await readEntityFile(readId(params.id), certificate, query.get("form") ?? "");
  if (!file) throw errorResponse(notFound());
  return fileResponse(file);
}
