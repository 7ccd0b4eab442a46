import { getEnv } from "~/lib/env.server";
import { Journal } from "~/signer/journal.server";
import { serveSigner } from "~/signer/serve.server";

// A signer that ends, as in a power failure, before or after it writes the line of a certificate.
const [when] = process.argv.slice(2);

// oxlint-disable-next-line unbound-method -- it is called with its journal below
const append = Journal.prototype.append;
Journal.prototype.append = async function (content, now) {
  const isLast = content.kind === "certificate";
  if (isLast && when === "before-line") process.kill(process.pid, "SIGKILL");
  await append.call(this, content, now);
  if (isLast && when === "after-line") process.kill(process.pid, "SIGKILL");
};

for (const place of await serveSigner(getEnv())) console.log(`The signer listens on ${place}`);
