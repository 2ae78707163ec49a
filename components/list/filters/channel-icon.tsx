import { useTranslations } from "next-intl";
import { Icon, type IconName } from "@/components/ui/icon.tsx";

const ICONS: Record<string, IconName> = {
  telegram: "telegram",
  web: "web",
  api: "api",
  otlp: "otlp",
  import: "import",
};

/** How a channel's name reads where it has one of its own. */
const NAMES: Record<string, string> = { telegram: "Telegram", web: "Web", api: "API", otlp: "OpenTelemetry" };

/** Says a channel in words. Channels are data: whoever sends events names them. */
export function useChannelName(): (channel: string) => string {
  const t = useTranslations("list");
  return (channel) => (channel === "import" ? t("imported") : (NAMES[channel] ?? channel));
}

/** Where a conversation is held; one of a channel without its own icon is a plain thread. */
export function ChannelIcon({ channel }: { channel: string | null }) {
  const name = useChannelName();
  if (channel === null) return <span />;
  return (
    <span title={name(channel)} className="flex text-fg-3">
      <Icon name={ICONS[channel] ?? "thread"} label={name(channel)} />
    </span>
  );
}
