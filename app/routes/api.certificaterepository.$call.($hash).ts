import { type LoaderFunctionArgs } from "@remix-run/node";
import { findFileOfCall } from "~/domain/repository/calls.service.server";
import { missingFile, readRepositoryFile } from "~/domain/repository/files.service.server";
import { noSuchFile, publicFile } from "~/http/public-file.server";

/** The repository's files under the names of B §7, in whatever case: public, without session, GET and HEAD. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const name = await findFileOfCall(params.call ?? "", params.hash);
  const file = name === null ? null : await readRepositoryFile(name);
  return file ? publicFile(request, file) : noSuchFile(missingFile(name ?? ""));
}
