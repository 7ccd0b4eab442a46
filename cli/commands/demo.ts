import { Command } from "commander";
import { say } from "../output";
import { withDatabase } from "../with-database";

const WITH_SIGNER =
  "The example data have certificates of the past, which a signer refuses. Make them before 'signer adopt', without SIGNER_SOCKET and SIGNER_URL.";

export const demoCommand = (): Command =>
  new Command("demo")
    .description("fill a fresh trial portal with companies, certificates in every state, codes and orders")
    .action(() =>
      withDatabase(async () => {
        const { makeDemo, requireFirstStart } = await import("../demo/make-demo");
        const { getEnv } = await import("~/lib/env.server");
        if (getEnv().signerWay && !getEnv().startsSigner) throw new Error(WITH_SIGNER);
        await requireFirstStart();
        await makeDemo(say);
      }),
    );
