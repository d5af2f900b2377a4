//! The page in a real browser without a screen: on a phone and on a desk, light and dark.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{arguments, world};
use crate::world::text;

/// Browsers that take pictures by themselves, the first that is there.
const BROWSERS: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome-headless-shell"];

fn browser() -> Option<&'static str> {
    BROWSERS
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
}

/// A picture: its width and its pixels as brightness, 0 to 255.
struct Picture {
    width: usize,
    light: Vec<u8>,
}

impl Picture {
    fn read(path: &Path) -> Self {
        let mut reader =
            png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let channels = info.color_type.samples();
        let light = bytes.chunks(channels).map(|pixel| pixel[1]).collect();
        Self { width: info.width as usize, light }
    }

    /// The paper: the brightness of most pixels.
    fn paper(&self) -> u8 {
        let mut counts = [0_usize; 256];
        self.light.iter().for_each(|light| counts[usize::from(*light)] += 1);
        (0..=255).max_by_key(|light| counts[usize::from(*light)]).unwrap()
    }

    /// The share of pixels that stand out from the paper as letters do.
    fn ink(&self) -> f64 {
        let paper = i32::from(self.paper());
        let ink = self.light.iter().filter(|light| (i32::from(**light) - paper).abs() > 100).count();
        ink as f64 / self.light.len() as f64
    }

    /// Whether the last columns hold nothing: what is wider than the screen reaches them.
    fn ends_in_paper(&self) -> bool {
        let paper = i32::from(self.light[self.width - 1]);
        self.light
            .chunks(self.width)
            .all(|row| row[self.width - 4..].iter().all(|light| (i32::from(*light) - paper).abs() < 40))
    }
}

fn taken(browser: &str, folder: &Path, (page, width, height): (&str, u32, u32), dark: bool) -> PathBuf {
    let name = format!("{page}-{width}-{}.png", if dark { "dark" } else { "light" });
    let scheme = if dark { "0" } else { "1" };
    let profile = folder.join(format!("profile-{name}"));
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"])
        .args(["--disable-background-networking", "--disable-quic", "--no-first-run"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!("--window-size={width},{height}"))
        .arg(format!("--screenshot={}", folder.join(&name).display()))
        .arg(format!("file://{}", folder.join(page).with_extension("html").display()))
        .output()
        .unwrap();
    assert!(folder.join(&name).is_file(), "{browser} took no picture: {}", text(&output.stderr));
    folder.join(name)
}

#[tokio::test(flavor = "multi_thread")]
#[allow(clippy::print_stderr, reason = "a test that could not run has to say so")]
async fn the_page_can_be_read_where_a_browser_is_on_a_phone_and_a_desk_light_and_dark() {
    let Some(browser) = browser() else {
        eprintln!("NOT RUN: no picture of the report was taken, since none of {BROWSERS:?} is installed");
        return;
    };
    let (world, data, _) = world().await;
    let (data, folder) = (data.display().to_string(), world.folder());
    let output = world.recall(&arguments(&data, &["--html", "report.html"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    // As it is when somebody unfolds every conversation.
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(page.contains("<details>"), "some conversation changed");
    std::fs::write(folder.join("unfolded.html"), page.replace("<details>", "<details open>")).unwrap();
    for size in [("report", 390, 3200), ("report", 1100, 2400), ("unfolded", 390, 9000), ("unfolded", 1100, 6000)] {
        let [light, dark] = [false, true].map(|dark| Picture::read(&taken(browser, &folder, size, dark)));
        assert!(light.paper() > 230, "light paper: {}", light.paper());
        assert!(dark.paper() < 50, "dark paper: {}", dark.paper());
        for picture in [&light, &dark] {
            assert!((0.005..0.4).contains(&picture.ink()), "letters: {}", picture.ink());
            assert!(picture.ends_in_paper(), "nothing of {size:?} is wider than it");
        }
        if let Some(kept) = std::env::var_os("RECALL_PICTURES") {
            let (page, width, _) = size;
            for name in ["light", "dark"].map(|scheme| format!("{page}-{width}-{scheme}.png")) {
                std::fs::copy(folder.join(&name), Path::new(&kept).join(&name)).unwrap();
            }
        }
    }
}
