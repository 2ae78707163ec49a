import { useTranslations } from "next-intl";
import { Icon, type IconName } from "@/components/ui/icon.tsx";

const ICONS: Record<string, IconName> = {
  telegram: "telegram",
  web: "web",
  api: "api",
  otlp: "otlp",
  import: "import",
};

/** Names of well-known channels. */
const NAMES: Record<string, string> = { telegram: "Telegram", web: "Web", api: "API", otlp: "OpenTelemetry" };

/** A channel's name. Channels are data: clients choose their names. */
export function useChannelName(): (channel: string) => string {
  const t = useTranslations("list");
  return (channel) => (channel === "import" ? t("imported") : (NAMES[channel] ?? channel));
}

/** A channel's icon; a generic one by default. */
export function ChannelIcon({ channel }: { channel: string | null }) {
  const name = useChannelName();
  if (channel === null) return <span />;
  return (
    <span title={name(channel)} className="flex text-fg-3">
      <Icon name={ICONS[channel] ?? "thread"} label={name(channel)} />
    </span>
  );
}
