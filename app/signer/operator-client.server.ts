import { request } from "node:http";
import { text } from "node:stream/consumers";
import { signerOperatorSocket } from "~/lib/signer-files.server";
import { type SignerProblem } from "./protocol";

/**
 * Sends a request to the signer that uses this folder, as its operator.
 *
 * @param toPost What is posted as JSON. Without it the request is a GET.
 * @throws Error with a sentence when no signer uses the folder, this user must not reach it, or it refuses.
 */
export async function askAsOperator<Answer>(directory: string, path: string, toPost?: object): Promise<Answer> {
  const socketPath = signerOperatorSocket(directory);
  const body = toPost && Buffer.from(JSON.stringify(toPost));
  const headers = { "content-length": body?.length ?? 0 };
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, host: "signer", path, method: body ? "POST" : "GET", headers }, (response) => {
      text(response).then((answer) => {
        const value = JSON.parse(answer) as Answer & SignerProblem;
        if (response.statusCode === 200) resolve(value);
        else reject(new Error(value.message));
      }, reject);
    });
    sent.on("error", ({ message }) =>
      reject(
        new Error(
          `No signer can be reached on ${socketPath}: start it first, and run this as its user and with its variables. (${message})`,
        ),
      ),
    );
    sent.end(body);
  });
}
