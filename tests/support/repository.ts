import { beforeAll } from "vitest";
import { publishCrls } from "~/domain/authorities/publishing.service.server";
import { loader } from "~/routes/repository.$file";
import { run } from "./visitor";

export const CA_CERTIFICATES = ["root", "root-g3", "issuing-sha2", "issuing-g3"];
export const CRLS = ["root", "root-g3", "issuing-sha2", "issuing-sha2-delta", "issuing-g3", "issuing-g3-delta"];

/** Requests a file of the repository. */
export const getFile = (name: string, headers: Record<string, string> = {}): Promise<Response> =>
  run(loader, new Request(`http://portal.test/repository/${name}`, { headers }), { file: name });

export const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

/** Publishes the CRLs of every CA before the tests. Call it once at the top of the file, after `usePortal`. */
export function usePublishedCrls(): void {
  beforeAll(async () => {
    for (const name of ["root", "issuing-sha2", "root-g3", "issuing-g3"] as const)
      await publishCrls(name, new Date(), { allowRoot: true });
  });
}
