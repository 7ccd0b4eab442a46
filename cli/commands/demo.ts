import { Command } from "commander";
import { say } from "../output";
import { withDatabase } from "../with-database";

export const demoCommand = (): Command =>
  new Command("demo")
    .description("fill a fresh trial portal with companies, certificates in every state, codes and orders")
    .action(() =>
      withDatabase(async () => {
        const { makeDemo, requireFirstStart } = await import("../demo/make-demo");
        await requireFirstStart();
        await makeDemo(say);
      }),
    );
