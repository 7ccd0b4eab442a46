import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signerClient } from "~/domain/authorities/signer-client.server";
import { setSigner, whyUnusable } from "~/domain/authorities/signers.server";
import { issueCertificate } from "../support/certificates";
import { runCommand } from "../support/command";
import { openssl, useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { endSigners, signerIn, startSigner, stopSigner, useSigners } from "../support/signer";
import { runTool } from "../support/tool";
import { setVariables } from "../support/variables";

useSigners();
const portal = usePortal();
const { file, makeRsaKey } = useOpenssl();

/** A folder that other users can reach, with the folder of the socket in it. */
const open = mkdtempSync(join(tmpdir(), "marque-socket-"));
afterAll(() => rmSync(open, { recursive: true, force: true }));
const socket = join(open, "run", "socket");

let signer: ReturnType<typeof signerIn>;
beforeAll(async () => {
  chmodSync(open, 0o755);
  signer = signerIn(portal.dataDir, { SIGNER_SOCKET: socket });
  const adopt = ["signer", "adopt", "--operator", "Olga", "--yes"];
  expect((await runCommand(adopt, { ...portal.env, SIGNER_DIR: signer.directory })).code).toBe(0);
});

afterEach(endSigners);
beforeEach(() => {
  setVariables({ SIGNER_SOCKET: "", SIGNER_URL: "", CA_PASSPHRASE: "" });
  for (const name of ["issuing-sha2", "issuing-g3"] as const) setSigner(name, null);
});

/** Connects to the socket as another user of the machine. Tests without the rights of root take the permissions from their own user. */
function connectAs(user: { group: number }) {
  const script = `require("node:net").connect(${JSON.stringify(socket)}).on("connect", () => { console.log("connected"); process.exit(0); }).on("error", (error) => { console.log(error.code); process.exit(0); })`;
  if (process.getuid?.() === 0) {
    const rights = ["--reuid=65534", `--regid=${user.group}`, "--clear-groups"];
    return runTool("setpriv", [...rights, process.execPath, "-e", script]);
  }
  const { mode } = statSync(socket);
  chmodSync(socket, user.group === statSync(socket).gid ? mode : 0);
  return runTool(process.execPath, ["-e", script]).finally(() => chmodSync(socket, mode));
}

describe("the socket of the signer", () => {
  test("[CAL-04] is for the user and the group of the signer: another user of the machine cannot reach it", async () => {
    const child = await startSigner(signer.env);
    const { gid, mode } = statSync(socket);
    expect([mode & 0o777, statSync(dirname(socket)).mode & 0o777]).toEqual([0o660, 0o750]);
    expect((await connectAs({ group: 65534 })).text).toBe("EACCES\n");
    expect((await connectAs({ group: gid })).text).toBe("connected\n");
    await stopSigner(child);
  });

  test("[CAL-04] is not taken from a signer that runs, and replaced when its process was killed", async () => {
    const child = await startSigner(signer.env);
    const other = signerIn(join(portal.dataDir, "other"), { SIGNER_SOCKET: socket });
    for (const kind of ["certificates", "keys"]) {
      mkdirSync(join(other.directory, kind));
      const name = kind === "keys" ? "issuing-g3.key.pem" : "issuing-g3.cer";
      copyFileSync(join(signer.directory, kind, name), join(other.directory, kind, name));
    }
    await expect(startSigner(other.env)).rejects.toThrow(`portal: Another signer listens on ${socket} already.`);
    const second = { ...signer.env, SIGNER_SOCKET: join(open, "run", "second") };
    await expect(startSigner(second)).rejects.toThrow(/^portal: Another signer uses .*\/signer, or its folder/);
    expect(await stopSigner(child, "SIGKILL")).toBe("SIGKILL");
    expect(statSync(socket).isSocket()).toBe(true);
    expect(await stopSigner(await startSigner(signer.env))).toBe(0);
  });

  test("[CAL-04] is not put in the place of a file, nor into a folder where everybody may replace it", async () => {
    writeFileSync(socket, "a file");
    await expect(startSigner(signer.env)).rejects.toThrow(`portal: ${socket} is not a socket. Move the file away.`);
    rmSync(socket);
    chmodSync(dirname(socket), 0o777);
    await expect(startSigner(signer.env)).rejects.toThrow("of the socket must not be writable by everybody");
    chmodSync(dirname(socket), 0o750);
  });

  test("[CAL-04] a signer that never answers is one that does not sign", async () => {
    const deaf = createServer(() => undefined);
    await new Promise<void>((resolve) => deaf.listen(socket, resolve));
    setVariables({ SIGNER_SOCKET: socket });
    expect(await whyUnusable("issuing-sha2")).toBe("The key does not answer.");
    signerClient.clear();
    deaf.close();
  });

  test.each([
    [
      "SIGNER_SOCKET",
      { SIGNER_SOCKET: "", SIGNER_CHILD: "no" },
      "portal: Set SIGNER_SOCKET to the socket on which the signer listens",
    ],
    [
      "CA_PASSPHRASE",
      { CA_PASSPHRASE: "another passphrase" },
      /^portal: CA_PASSPHRASE does not open .*issuing-g3\.key\.pem/,
    ],
    ["SIGNER_DIR", { SIGNER_DIR: "/nowhere/at/all" }, /^portal: /],
    [
      "SIGNER_DAILY_CEILING",
      { SIGNER_DAILY_CEILING: "0" },
      "portal: SIGNER_DAILY_CEILING must be a whole number from 1",
    ],
    [
      "SIGNER_TLS_CERT",
      { SIGNER_LISTEN: "127.0.0.1:4150" },
      "portal: SIGNER_TLS_CERT is missing, but SIGNER_LISTEN is set",
    ],
    ["SIGNER_LISTEN", { SIGNER_LISTEN: "4150" }, "portal: SIGNER_LISTEN must be an address such as 10.0.0.5:8443"],
    [
      "SIGNER_URL",
      { SIGNER_URL: "https://signer.example" },
      "portal: SIGNER_URL must be unset when SIGNER_SOCKET is set",
    ],
  ])("[CAL-04] a wrong %s stops the start with a sentence", async (_, change, sentence) => {
    const env: Record<string, string> = { ...signer.env, ...change };
    if (env.SIGNER_DIR === "/nowhere/at/all") {
      env.SIGNER_DIR = join(open, "nothing");
      writeFileSync(env.SIGNER_DIR, "a file");
    }
    await expect(startSigner(env)).rejects.toThrow(sentence);
  });
});

describe("between machines", () => {
  const port = 20_000 + (process.pid % 20_000);

  /** Makes a certificate of a CA, for a server on this machine or for a client. Returns its files. */
  function certify(ca: { cert: string; key: string } | null, subject: string) {
    const [key, cert] = [makeRsaKey(), file("pem")];
    const request = ["req", "-x509", "-new", "-key", key, "-subj", subject, "-days", "2", "-out", cert];
    if (ca) request.push("-CA", ca.cert, "-CAkey", ca.key, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1");
    openssl(request);
    return { key, cert };
  }

  const authority = certify(null, "/CN=Machines");
  const stranger = certify(null, "/CN=Strangers");
  const tlsOf = ({ key, cert }: { key: string; cert: string }) => ({
    SIGNER_TLS_CERT: cert,
    SIGNER_TLS_KEY: key,
    SIGNER_TLS_CA: authority.cert,
  });

  test("[CAL-04] orders are signed over TLS, and a client without a certificate of the CA gets no answer", async () => {
    const listen = { SIGNER_SOCKET: "", SIGNER_LISTEN: `127.0.0.1:${port}` };
    const child = await startSigner({ ...signer.env, ...listen, ...tlsOf(certify(authority, "/CN=signer")) });
    const use = (client: { key: string; cert: string }) => {
      setVariables({ SIGNER_URL: `https://localhost:${port}`, ...tlsOf(client) });
      signerClient.clear();
    };
    use(certify(authority, "/CN=portal"));
    const { serialNumber } = await issueCertificate();
    expect(signer.lines().at(-1)).toMatchObject({ serial: serialNumber });

    use(certify(stranger, "/CN=portal"));
    expect(await whyUnusable("issuing-sha2")).toContain(
      "its SIGNER_TLS_CA must have signed the SIGNER_TLS_CERT of this end.",
    );
    const without = await new Promise((resolve) => {
      const client = connect({ port, host: "127.0.0.1", ca: readFileSync(authority.cert), servername: "localhost" });
      client.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
      client.on("data", (data: Buffer) => resolve(data.toString()));
      client.on("secureConnect", () => client.write("GET /state HTTP/1.1\r\nhost: signer\r\n\r\n"));
    });
    expect(without).toBe("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED");
    await stopSigner(child);
  });
});
