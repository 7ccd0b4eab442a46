import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { explainFileError, FileProblem } from "~/lib/file-problem.server";
import { isLoopback } from "~/lib/web-address";

/** The size limit of a file in bytes, far above that of the badkeys blocklist (60 MB). */
const MAX_BYTES = 1024 ** 3;
const TIMEOUT_MS = 10 * 60_000;
const MOST_REDIRECTS = 5;

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

const problem = (text: string, cause?: unknown) => new FileProblem(text, { cause });

/** Returns a stream that passes bytes on up to the limit. */
function limited(label: string): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > MAX_BYTES) done(problem(`${label} has more than 1 GB.`));
      else done(null, chunk);
    },
  });
}

/** Throws a FileProblem unless the address uses TLS or is on this machine. Anybody can change what comes over the network without TLS. */
function requireSafe(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol !== "https:" && !isLoopback(hostname)) throw problem(`${address} is not an https address.`);
}

/** Requests an address and those that it redirects to, as long as each of them is safe. Throws a FileProblem. */
async function requestSafely(address: string, signal: AbortSignal): Promise<Response> {
  let target = address;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    requireSafe(target);
    const response = await fetch(target, { redirect: "manual", signal }).catch((error: unknown) => {
      throw problem(`${target} does not answer.`, error);
    });
    const location = response.headers.get("Location");
    if (response.status < 300 || response.status >= 400 || !location) return response;
    await response.body?.cancel();
    target = new URL(location, target).href;
  }
  throw problem(`${address} redirects more than ${MOST_REDIRECTS} times.`);
}

/** Downloads an address into a file. Throws a FileProblem. */
export async function download(address: string, file: string): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await requestSafely(address, signal);
  if (!response.ok || !response.body) throw problem(`${address} answers ${response.status}.`);
  try {
    await pipeline(Readable.fromWeb(response.body as never), limited(address), createWriteStream(file), { signal });
  } catch (error) {
    throw error instanceof FileProblem ? error : problem(`${address} broke off.`, error);
  }
}

/** Decompresses with the command xz, because Node cannot decompress this format. */
async function unxz(from: string, to: string, label: string): Promise<void> {
  const child = spawn("xz", ["--decompress", "--stdout", "--", from], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", () => reject(problem(`${label} is compressed: install xz (xz-utils), or decompress it before.`)));
    child.on("close", resolve);
  });
  const [code] = await Promise.all([ended, pipeline(child.stdout, limited(label), createWriteStream(to))]);
  if (code !== 0) throw problem(`${label} cannot be decompressed: it is damaged.`);
}

const XZ = "fd377a585a00";
const GZIP = "1f8b";
const AR = Buffer.from("!<arch>").toString("hex");

/** Returns the first bytes of a file. Throws a FileProblem when the file cannot be read. */
export async function firstBytes(file: string, label = file): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw explainFileError(error, label);
  }
}

/** Returns the file itself, or its decompressed content in `folder` when it is compressed (xz, gzip). Throws a FileProblem. */
export async function decompressed(file: string, label: string, folder: string): Promise<string> {
  const start = (await firstBytes(file, label)).toString("hex");
  const content = join(folder, "content");
  if (start.startsWith(AR))
    throw problem(`${label} is a package: unpack it by 'dpkg-deb -x FILE FOLDER' and fetch the lists in it.`);
  if (start.startsWith(XZ)) await unxz(file, content, label);
  else if (start.startsWith(GZIP))
    await pipeline(createReadStream(file), createGunzip(), limited(label), createWriteStream(content)).catch(
      (error: unknown) => {
        throw error instanceof FileProblem ? error : problem(`${label} cannot be decompressed: it is damaged.`, error);
      },
    );
  else return file;
  return content;
}

/** Returns the SHA-256 of a file in lower-case hex. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
