import { type LoaderFunctionArgs } from "@remix-run/node";
import { missingFile, readRepositoryFile } from "~/domain/repository/files.service.server";
import { noSuchFile, publicFile } from "~/http/public-file.server";

/** Returns the repository's files under the addresses in certificates. They are public, need no session, and support GET and HEAD. */
export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const file = await readRepositoryFile(params.file ?? "");
  return file ? publicFile(request, file) : noSuchFile(missingFile(params.file ?? ""));
}
