/** What a desktop is asked to show. Both texts are filtered, and neither is markup. */
export interface Notification {
  readonly title: string;
  readonly body: string;
}

/** A program and its words; no shell reads them. */
export interface NotificationCommand {
  readonly program: string;
  readonly words: readonly string[];
  /** Set beside what the program needs of the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * What shows a notification on this platform; undefined where nothing is known to. Texts never become part of a
 * program's text: they are words of their own, or variables.
 *
 * Sources: notify-send(1); AppleScript Language Guide, "display notification" and `on run argv`; the
 * ToastNotificationManager of Windows.UI.Notifications.
 */
export function notificationCommand(
  platform: NodeJS.Platform,
  { title, body }: Notification,
): NotificationCommand | undefined {
  switch (platform) {
    case 'linux':
    case 'freebsd':
      return {
        program: 'notify-send',
        words: [
          '--app-name=Holdfast',
          '--urgency=critical',
          '--category=im.received',
          '--',
          title,
          withoutMarkup(body),
        ],
        environment: {},
      };
    case 'darwin':
      return {
        program: 'osascript',
        words: [
          '-e',
          'on run argv',
          '-e',
          'display notification (item 2 of argv) with title (item 1 of argv)',
          '-e',
          'end run',
          '--',
          title,
          body,
        ],
        environment: {},
      };
    case 'win32':
      return {
        program: 'powershell.exe',
        words: ['-NoProfile', '-NonInteractive', '-Command', toast],
        environment: { HOLDFAST_TITLE: title, HOLDFAST_BODY: body },
      };
    default:
      return undefined;
  }
}

/**
 * Servers may show bold text, links and images in a body. Source: Desktop Notifications Specification 1.2, "Markup".
 */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `CreateTextNode` takes texts as they are; the script itself is always the same. */
const toast = [
  '[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime]',
  '$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(2)',
  "$texts = $xml.GetElementsByTagName('text')",
  '[void]$texts.Item(0).AppendChild($xml.CreateTextNode($env:HOLDFAST_TITLE))',
  '[void]$texts.Item(1).AppendChild($xml.CreateTextNode($env:HOLDFAST_BODY))',
  "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('Holdfast').Show([Windows.UI.Notifications.ToastNotification]::new($xml))",
].join('; ');
