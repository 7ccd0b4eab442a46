import { Command } from "commander";
import { say } from "../output";

export function setupCommand(): Command {
  return new Command("setup")
    .description("make everything that a first start needs; what exists is kept, so it can be repeated at any time")
    .action(async () => {
      // npm start runs this command as a child process and shows the login itself. When npm start has ended, this process exits too,
      // because otherwise nobody would learn the password.
      if (process.send) process.once("disconnect", () => process.exit(1)).channel?.unref();
      const { setupPortal } = await import("../setup");
      const administrator = await setupPortal(say);
      if (process.send) process.send({ administrator });
      else if (administrator) {
        const { email, password, passwordFile } = administrator;
        say(`Created the administrator ${email}`);
        if (password) say(`with the password ${password} (shown only once; it must be changed at the first login)`);
        if (passwordFile) say(`with the password in ${passwordFile} (removed when the password is changed)`);
      }
    });
}
